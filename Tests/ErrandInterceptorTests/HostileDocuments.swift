import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

/// Bodies and fields that do not harm a transport, but could harm the code that reads them.
@Suite(.hangGuard) struct `Contract: hostile documents and fields` {
    /// Hostile JSON documents.
    enum Document: String, CaseIterable, Sendable {
        case arraysInArrays, objectsInObjects, arraysWithoutAnEnd, objectsWithoutAnEnd, numberOfAMillionDigits
        case exponentOfAMillionDigits, stringWithoutAnEnd, backslashesWithoutAnEnd, halfASurrogate, nullBytes
        case aMillionCommas

        var bytes: Data {
            let count = 100_000
            return switch self {
            case .arraysInArrays: repeating("[", count) + repeating("]", count)
            case .objectsInObjects: repeating("{\"a\":", count) + repeating("}", count)
            case .arraysWithoutAnEnd: repeating("[", count)
            case .objectsWithoutAnEnd: repeating("{\"a\":", count)
            case .numberOfAMillionDigits: repeating("9", 10 * count)
            case .exponentOfAMillionDigits: repeating("1", 1) + Data("e".utf8) + repeating("9", 10 * count)
            case .stringWithoutAnEnd: Data("\"".utf8) + repeating("x", 10 * count)
            case .backslashesWithoutAnEnd: Data("\"".utf8) + repeating("\\", 10 * count)
            case .halfASurrogate: Data("\"\\ud800\"".utf8)
            case .nullBytes: Data(count: count)
            case .aMillionCommas: Data("[".utf8) + repeating(",", 10 * count) + Data("]".utf8)
            }
        }

        private func repeating(_ text: String, _ count: Int) -> Data {
            Data(String(repeating: text, count: count).utf8)
        }
    }

    /// A value that decodes a document of any depth.
    enum Anything: Decodable, Sendable {
        case object([String: Anything])
        indirect case array([Anything])
        case number(Double)
        case text(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let object = try? container.decode([String: Anything].self) {
                self = .object(object)
            } else if let array = try? container.decode([Anything].self) {
                self = .array(array)
            } else if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else {
                self = .text(try container.decode(String.self))
            }
        }
    }

    private final class DocumentRequest: APIBase, StreamingRequest {
        init(_ url: URL) {
            super.init()
            baseURL = url
            timeoutInterval = .hangGuard
        }
        func startStream() -> ResponseStream { sendStream() }
    }

    @Test(arguments: Document.allCases)
    func `a hostile document fails decoding with a short error`(_ document: Document) async throws {
        let request = Probe(try #require(URL(string: "https://api.example.com")), CurlTransport.shared)
        request.dataTaskPipeline = request.stubJSONResponse(statusCode: 200, data: document.bytes)
        let error = await expectFailure(.decodingFailed) { try await request.start().decode(Anything.self).value }
        #expect(try #require(error?.reason).count < 200)
        #expect(try #require(error).bodyPrefix.count <= ErrandError.bodyPrefixLimit)
    }

    @Test(arguments: Document.allCases)
    func `a hostile error document leaves the status error unchanged`(_ document: Document) async throws {
        let request = Probe(try #require(URL(string: "https://api.example.com")), CurlTransport.shared)
        request.dataTaskPipeline = request.stubJSONResponse(statusCode: 500, data: document.bytes)
        let error = await expectFailure(.unacceptableStatusCode) {
            try await request.start().validateStatusCode(in: [200]).decodeError(ProblemDetails.self).value
        }
        #expect(error?.payload(as: ProblemDetails.self) == nil)
    }

    @Test(arguments: Document.allCases)
    func `a hostile document in a stream fails the stream and closes its connection`(
        _ document: Document
    ) async throws {
        let server = try MockServer()
        server.onAny { _ in
            .chunked([document.bytes, Data("\n".utf8)]).with(fault: .stallInBody(after: document.bytes.count + 1))
        }
        let stream = DocumentRequest(server.url).startStream()
        await expectFailure(.decodingFailed) {
            for try await _ in stream.values(of: Anything.self) { Issue.record("a value was decoded") }
        }
        try await server.waitUntil(openConnections: 0)
    }

    @Test(arguments: Document.allCases)
    func `the redacted copy of a hostile document is not longer than the document`(_ document: Document) {
        var redaction = JSONRedaction(Array(document.bytes), SecretNames(["token"]))
        let (copy, isWhole) = redaction.redacted()
        #expect(copy.count <= document.bytes.count)
        #expect(!isWhole || copy.count == document.bytes.count)
    }

    static let waits: [(String, Duration?)] = [
        (String(repeating: "9", count: 100), .seconds(1 << 31)), ("-1", nil), ("1e999", nil), ("0x10", nil), ("", nil),
        ("1.5", nil), ("Fri, 31 Dec 9999 23:59:59 GMT", .seconds(1 << 31)), ("Fri, 31 Dec 99999 23:59:59 GMT", nil),
        ("Thu, 01 Jan 0001 00:00:00 GMT", .zero), (String(repeating: "x", count: 100_000), nil),
    ]

    @Test(arguments: waits.indices)
    func `an extreme Retry-After is limited or ignored`(_ index: Int) async throws {
        let (value, wait) = Self.waits[index]
        let headers: HeaderFields = ["Retry-After": value]
        #expect(headers.retryAfter(now: Date(timeIntervalSince1970: 1_767_225_600)) == wait)
        // Whatever the server requests, no task waits for days: the caller gets the response, or the request is sent
        // again.
        let request = Retried(.immediate)
        request.dataTaskPipeline = request.stub(inTurn: [
            request.stubResponse(statusCode: 503, headers: headers), request.stubResponse(statusCode: 200),
        ])
        let isWaitedFor = wait.map { $0 > .seconds(60) } ?? false
        #expect(try await request.start().value.statusCode == (isWaitedFor ? 503 : 200))
    }
}
