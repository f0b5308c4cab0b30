#if canImport(CCurl)
import TestSupport
import Testing

@testable import Errand

/// A response whose first field line is folded onto a field that does not exist.
///
/// libcurl 7.84 to 8.0 would append the line to a field of the handle's previous transfer, whose memory is freed.
/// Therefore the outcome must be the same after any other transfer as over a new transport.
@Suite(.hangGuard) struct `Contract: a head that begins with a folded line` {
    /// The transfer before the folded head.
    enum Before: String, CaseIterable, Sendable {
        case redirect, challenge, keptConnection, closedConnection, noContent, interimHead, trailers, bodyCutOff
        case invalidHead

        /// The bytes of the response. All have a field, so that libcurl remembers one.
        var bytes: String {
            let word = "X-Word: \(String(repeating: "y", count: 30))\r\n"
            let ok = "HTTP/1.1 200 OK\r\n\(word)"
            return switch self {
            case .redirect: "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\(word)Location: /folded\r\n\r\n"
            case .challenge:
                "HTTP/1.1 401 x\r\nContent-Length: 0\r\nWWW-Authenticate: Digest realm=\"a\", nonce=\"b\"\r\n\(word)\r\n"
            case .keptConnection: "\(ok)Content-Length: 5\r\n\r\nhello"
            case .closedConnection: "\(ok)Connection: close\r\n\r\nhello"
            case .noContent: "HTTP/1.1 204 No Content\r\n\(word)\r\n"
            case .interimHead: "HTTP/1.1 103 Early Hints\r\n\(word)\r\n\(ok)Content-Length: 5\r\n\r\nhello"
            case .trailers: "\(ok)Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\(word)\r\n"
            case .bodyCutOff: "\(ok)Content-Length: 50\r\n\r\nhello"
            case .invalidHead: "\(ok)Content-Length: x\r\n\r\nhello"
            }
        }

        var closes: Bool { [.closedConnection, .bodyCutOff, .invalidHead].contains(self) }
    }

    /// The lines at the beginning of the folded head.
    static let lines = [
        " X-Field: 1\r\n", "\tX-Field: 1\r\n", " \(String(repeating: "x", count: 200)): 1\r\n", " \r\n", "\t\r\n",
        " :\r\n", " a\r\n b\r\n\tc\r\n", " \(String(repeating: "x", count: 60_000))\r\n",
    ]

    @Test(arguments: Before.allCases, lines)
    func `its outcome does not depend on an earlier transfer`(_ before: Before, _ line: String) async throws {
        let expected = try await outcomes(after: nil, line)
        let outcomes = try await outcomes(after: before, line)
        #expect(outcomes == expected)
    }

    /// The outcome of the folded response, and that of a usual one after it.
    private func outcomes(after before: Before?, _ line: String) async throws -> [String] {
        let server = try RawServer { connection in
            while case let head = connection.readHead(), head.hasSuffix("\r\n\r\n") {
                if head.hasPrefix("GET /before "), !head.contains("Authorization"), let before {
                    try connection.write(before.bytes)
                    if before.closes { return }
                } else if head.hasPrefix("GET /after ") {
                    try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nafter")
                } else {
                    try connection.write("HTTP/1.1 200 OK\r\n\(line)Content-Length: 6\r\n\r\nfolded")
                }
            }
        }
        let transport = TransportUnderTest.curl.make()
        var outcomes: [String] = []
        for path in before == nil ? ["/folded", "/after"] : ["/before", "/folded", "/after"] {
            let probe = Probe(server.url, transport, path: path)
            if before == .challenge { probe.interceptors = [DigestAuthentication(user: "user", password: "password")] }
            let outcome = Self.text(of: await probe.start().result)
            if path == "/before", before == .redirect || before == .challenge { outcomes.append(outcome) }
            if path != "/before" { outcomes.append(outcome) }
        }
        // A redirect and a challenge lead to the folded response within one request.
        if before == .redirect || before == .challenge {
            #expect(outcomes[0] == outcomes[1])
            outcomes.removeFirst()
        }
        return outcomes
    }

    private static func text(of outcome: Result<DataResponse, any Error>) -> String {
        switch outcome {
        case .success(let response): "\(response.statusCode), \(response.headers.count) fields, \(response.text)"
        case .failure(let error as ErrandError): "\(error.code), \(String(describing: error.underlyingError))"
        case .failure(let error): "\(error)"
        }
    }
}
#endif
