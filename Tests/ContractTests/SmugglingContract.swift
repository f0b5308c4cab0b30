import Dispatch
import Errand
import TestSupport
import Testing

/// The server sends a second response after the requested one. The next request must not receive it.
@Suite(.hangGuard) struct `Contract: smuggled responses` {
    /// The response to the first request, by how the end of its body is determined.
    enum First: String, CaseIterable, Sendable {
        case length, noContent, notModified, chunks

        var text: String {
            switch self {
            case .length: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst"
            case .noContent: "HTTP/1.1 204 No Content\r\n\r\n"
            case .notModified: "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n"
            case .chunks: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n0\r\n\r\n"
            }
        }
    }

    /// The time when the second response arrives.
    enum Moment: String, CaseIterable, Sendable {
        case withTheFirst
        /// While the connection is idle.
        case later
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var transport: TransportUnderTest
        var first: First
        var moment: Moment

        static let all = Moment.allCases.flatMap { moment in
            (moment == .later ? TransportUnderTest.without(.unrequestedResponses) : TransportUnderTest.allCases)
                .flatMap { transport in
                    First.allCases.map { Case(transport: transport, first: $0, moment: moment) }
                }
        }

        var testDescription: String { "\(transport): behind \(first), \(moment)" }
    }

    @Test(arguments: Case.all)
    func `a smuggled response is not used for the next request`(_ smuggling: Case) async throws {
        let hasResponse = DispatchSemaphore(value: 0)
        let isSmuggled = Gate()
        let server = try RawServer { connection in
            let honest = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhonest"
            let other = "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nsmuggled"
            while case let head = connection.readHead(), head.hasSuffix("\r\n\r\n") {
                guard head.hasPrefix("GET /first ") else {
                    try connection.write(honest)
                    continue
                }
                switch smuggling.moment {
                case .withTheFirst:
                    try connection.write(smuggling.first.text + other)
                case .later:
                    try connection.write(smuggling.first.text)
                    hasResponse.wait()
                    try connection.write(other)
                }
                isSmuggled.open()
            }
        }
        let session = smuggling.transport.make()
        let first = try await Probe(server.url, session, path: "/first").start().value
        #expect(first.data.isEmpty || first.data == Data("first".utf8))
        hasResponse.signal()
        try await isSmuggled.pass()
        let second = try await Probe(server.url, session, path: "/second").start().value
        #expect(String(decoding: second.data, as: UTF8.self) == "honest")
    }
}
