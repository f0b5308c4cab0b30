import Errand
import TestSupport

/// A server that plays the responses of a test file of curl: the number in the path of a request selects the response,
/// and credentials add to it, as `tests/FILEFORMAT.md` of curl says.
final class CurlTestServer: Sendable {
    /// A request with its body.
    struct Received: Sendable {
        var head: String
        var body: Data
    }

    fileprivate struct State {
        var file: CurlTestFile?
        var received: [Received] = []
        var played: [Int] = []
        /// The response that follows one with `swsbounce`.
        var next: Int?
    }

    private let server: RawServer
    private let state: Locked<State>

    init() throws {
        let state = Locked(State())
        self.state = state
        server = try RawServer { connection in
            while let request = Self.read(connection) {
                guard let response = state.withLock({ $0.play(request) }) else { return }
                try connection.write(response.latin1)
                if response.contains("swsclose") || !CurlTestMessage.isComplete(response) { return }
            }
        }
    }

    var port: Int { server.url.port ?? 0 }

    /// The requests so far.
    var received: [Received] { state.withLock(\.received) }

    /// The responses sent so far.
    var played: [Int] { state.withLock(\.played) }

    func play(_ file: CurlTestFile) {
        state.withLock { $0.file = file }
    }

    private static func read(_ connection: RawConnection) -> Received? {
        var head = Data()
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            let byte = connection.read(atMost: 1)
            if byte.isEmpty { return nil }
            head += byte
        }
        let text = String(latin1: head)
        var body = Data()
        if let length = text.firstMatch(of: #/(?i)\r\ncontent-length: *(\d+)/#).flatMap({ Int($0.1) }) {
            while body.count < length, case let piece = connection.read(atMost: length - body.count), !piece.isEmpty {
                body += piece
            }
        } else if text.contains(#/(?i)\r\ntransfer-encoding: *chunked/#) {
            while !body.suffix(5).isLastChunk, case let byte = connection.read(atMost: 1), !byte.isEmpty {
                body += byte
            }
        }
        return Received(head: text, body: body)
    }
}

extension Data {
    fileprivate var isLastChunk: Bool { elementsEqual("0\r\n\r\n".utf8) }
}

extension CurlTestServer.State {
    fileprivate mutating func play(_ request: CurlTestServer.Received) -> String? {
        received.append(request)
        var part = next ?? Self.part(of: request.head)
        if next == nil {
            if request.head.contains("Authorization: Digest") {
                part += 1000
            } else if part >= 1000, request.head.contains("Authorization: Basic") {
                part += 1
            }
        }
        guard let response = file?.response(part)?.text else { return nil }
        played.append(part)
        next = response.contains("swsbounce") ? part + 1 : nil
        return response
    }

    /// The part of the number after the last slash of the path, or in a field `Testno`.
    private static func part(of head: String) -> Int {
        let target = head.prefix { !$0.isNewline }.split(separator: " ").dropFirst().first ?? ""
        let tail = target.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        let digits = tail.prefix { $0.isNumber }
        let field = head.firstMatch(of: #/(?i)\r\ntestno: *(\d+)/#)?.1 ?? ""
        let number = Int(digits.isEmpty ? field : digits) ?? 0
        return number > 10_000 ? number % 10_000 : 0
    }
}
