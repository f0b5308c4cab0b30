#if canImport(CCurl)
import Foundation
import TestSupport
import Testing

@testable import Errand

struct `Exchange` {
    @Test func `a response has its head, body and trailers`() throws {
        let replay = try Replay()
        try replay.begin()
        #expect(replay.message?.method == "GET")
        #expect(replay.message?.framing == FieldLines.Framing.none)
        #expect(replay.receive("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\n\r\n") == [])
        #expect(replay.receive(body: "hel", "lo") == [.taken, .taken])
        #expect(replay.receive("T: 1\r\n") == [])
        #expect(replay.end(.complete) == .end)
        let response = try replay.exchange.result(of: .complete, 0).get()
        #expect(response.statusCode == 200)
        #expect(response.headers["A"] == "b")
        #expect(response.headers["Link"] == nil)
        #expect(replay.exchange.body.data == Data("hello".utf8))
        #expect(response.trailers["T"] == "1")
    }

    @Test func `a redirect is another hop, whose body is not kept`() throws {
        let replay = try Replay("http://a.example/old")
        try replay.begin()
        #expect(replay.receive("HTTP/1.1 302 Found\r\nLocation: /new#part\r\nContent-Length: 3\r\n\r\n") == [])
        #expect(replay.receive(body: "old") == [.taken])
        #expect(replay.end(.complete) == .hop)
        #expect(replay.exchange.url == "http://a.example/new")
        try replay.begin()
        #expect(replay.message?.url == "http://a.example/new")
        #expect(replay.receive("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n") == [])
        #expect(replay.receive(body: "new") == [.taken])
        #expect(replay.end(.complete) == .end)
        let response = try replay.exchange.result(of: .complete, 0).get()
        #expect(response.data == Data("new".utf8))
        #expect(response.redirects?.hops.map(\.statusCode) == [302])
        #expect(replay.exchange.chain.followed == 1)
    }

    @Test(arguments: [true, false])
    func `a redirect about which a task decides waits for it`(_ isFollowed: Bool) throws {
        let replay = try Replay { $0.redirectPolicy = .decide { _, _ in isFollowed } }
        try replay.begin()
        #expect(replay.receive("HTTP/1.1 302 Found\r\nLocation: /new\r\nContent-Length: 0\r\n\r\n") == .decision)
        #expect(replay.exchange.times.isPaused)
        #expect(replay.receive(body: "x") == [.notYet])
        #expect(replay.end(.complete) == .decision)
        let response = replay.exchange.response()
        let decision = Result { try replay.exchange.chain.following(response) }
        replay.exchange.take(decision, 1)
        #expect(!replay.exchange.times.isPaused)
        #expect(replay.end(.complete) == (isFollowed ? .hop : .end))
    }

    @Test func `the response to a challenge is another hop with the body that was withheld`() throws {
        let replay = try Replay(method: "PUT", body: "text") { request in
            request.digestCredential = PasswordCredential(user: "u", password: "p")
        }
        try replay.begin()
        #expect(replay.message?.framing == .lengthOfZero)
        #expect(replay.message?.fields["Authorization"] == nil)
        let challenge = #"WWW-Authenticate: Digest realm="r", nonce="n", qop="auth""#
        #expect(replay.receive("HTTP/1.1 401 Unauthorized\r\n\(challenge)\r\nContent-Length: 0\r\n\r\n") == [])
        #expect(replay.end(.complete) == .hop)
        try replay.begin()
        #expect(replay.message?.framing == .body)
        #expect(replay.message?.fields["Authorization"]?.hasPrefix("Digest ") == true)
        #expect(replay.read(4) == "text")
    }

    @Test func `a request that was lost on a reused connection is sent again`() throws {
        let replay = try Replay()
        try replay.begin()
        #expect(replay.connected())
        replay.exchange.metrics.isConnectionReused = true
        #expect(replay.end(CurlOutcome(kind: .connectionLoss, failure: .networkConnectionLost)) == .hop)
        #expect(replay.exchange.failedSendings == 1)
        try replay.begin()
        #expect(replay.receive("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n") == [])
        // After a part of the response, it is not.
        #expect(replay.end(CurlOutcome(kind: .connectionLoss, failure: .networkConnectionLost)) == .end)
    }

    @Test func `a redirect has all its repetitions, whatever the hop before has used`() throws {
        let replay = try Replay("http://a.example/old")
        try replay.begin()
        #expect(replay.connected())
        replay.exchange.metrics.isConnectionReused = true
        #expect(replay.end(CurlOutcome(kind: .connectionLoss, failure: .networkConnectionLost)) == .hop)
        try replay.begin()
        #expect(replay.receive("HTTP/1.1 302 Found\r\nLocation: /new\r\nContent-Length: 0\r\n\r\n") == [])
        #expect(replay.end(.complete) == .hop)
        #expect(replay.exchange.failedSendings == 0)
    }

    @Test func `a request that may have had an effect is not repeated`() throws {
        let replay = try Replay(method: "POST", body: "text")
        try replay.begin()
        #expect(replay.message?.isIdempotent == false)
        #expect(replay.connected())
        #expect(!replay.connected())
    }

    @Test(arguments: [
        ("HTTP/1.1 500 Failure\r\nContent-Length: 0\r\n\r\n", CurlExchange.Wishes.end),
        ("HTTP/1.1 302 Found\r\nLocation: /new\r\n\r\n", .end),
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", .deadline),
        ("HTTP/1.1 200 OK\r\n\r\n", CurlExchange.Wishes()),
    ])
    func `a response before the end of its request ends it, or the wait for it`(
        _ head: String, _ wishes: CurlExchange.Wishes
    ) throws {
        let replay = try Replay(method: "PUT", body: "text")
        try replay.begin()
        #expect(replay.read(2) == "te")
        #expect(replay.receive(head) == wishes)
    }

    @Test func `no wish of a hop is left for the next one`() throws {
        let replay = try Replay(method: "PUT", body: "text")
        try replay.begin()
        #expect(replay.read(2) == "te")
        #expect(replay.receive("HTTP/1.1 302 Found\r\nLocation: /n\r\nContent-Length: 1\r\n\r\n") == .end)
        #expect(replay.receive(body: "x") == [.taken])
        #expect(replay.end(.complete) == .hop)
        #expect(replay.exchange.wishes.isEmpty)
    }

    @Test func `sending waits once for what has arrived over HTTP/1`() throws {
        let replay = try Replay(method: "PUT", body: "text")
        try replay.begin()
        #expect(replay.read(2, hasUnread: true) == nil)
        #expect(replay.exchange.takeWishes() == .turn)
        #expect(replay.read(2, hasUnread: true) == "te")
        #expect(replay.receive("HTTP/1.1 100 Continue\r\n") == [])
        #expect(replay.read(2, hasUnread: true) == nil)

        try replay.begin()
        #expect(replay.connected(isMultiplexed: true))
        #expect(replay.read(4, hasUnread: true) == "text")
    }

    @Test func `a streamed response is delivered in pieces while its reader has room`() throws {
        let replay = try Replay { $0.streamsResponse = true }
        try replay.begin()
        #expect(replay.receive("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n") == .head)
        #expect(replay.receive(body: "abc") == [.taken])
        #expect(replay.exchange.takeWishes() == .piece)
        #expect(replay.receive(body: "def", hasRoom: false) == [.notYet])
        #expect(replay.exchange.times.isPaused)
        #expect(replay.exchange.takePiece() == Data("abc".utf8))
        #expect(replay.receive(body: "def") == [.taken])
        #expect(!replay.exchange.times.isPaused)
        #expect(replay.exchange.takePiece() == Data("def".utf8))
    }

    @Test func `others have their turn between two pieces`() throws {
        let replay = try Replay()
        try replay.begin()
        #expect(replay.receive("HTTP/1.1 200 OK\r\n\r\n") == [])
        #expect(replay.receive(body: "a", isTurnOver: true) == [.notYet])
        #expect(replay.exchange.takeWishes() == .turn)
        // The empty piece at the end must be taken.
        #expect(replay.receive(body: "", isTurnOver: true) == [.taken])
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nNo colon\r\n", URLError.Code.cannotParseResponse),
        ("HTTP/1.1 101 Switching Protocols\r\n\r\n", .cannotParseResponse),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", .cannotParseResponse),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", .cannotDecodeContentData),
        ("HTTP/1.1 200 OK\r\nA: \(String(repeating: "a", count: 2_000))\r\n", .dataLengthExceedsMaximum),
    ])
    func `an invalid head is the error of the exchange`(_ head: String, _ code: URLError.Code) throws {
        let replay = try Replay()
        try replay.begin()
        #expect(replay.receive(head) == nil)
        #expect(replay.end(CurlOutcome(kind: .failure, failure: .unknown)) == .end)
        let failure = #expect(throws: TransportFailure.self) {
            try replay.exchange.result(of: CurlOutcome(kind: .failure, failure: .unknown), 0).get()
        }
        #expect(failure?.error.code == code)
    }

    @Test func `a body that is longer than the limit, or a redirect's, is refused`() throws {
        let replay = try Replay { $0.maximumBodySize = 4 }
        try replay.begin()
        #expect(replay.receive("HTTP/1.1 200 OK\r\n\r\n") == [])
        #expect(replay.receive(body: "abcd", "e") == [.taken, .refused])

        let redirected = try Replay()
        try redirected.begin()
        #expect(redirected.receive("HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n") == [])
        let half = String(repeating: "a", count: HopState.redirectBodyLimit / 2)
        #expect(redirected.receive(body: half, half, "a") == [.taken, .taken, .refused])
        #expect(redirected.end(CurlOutcome(kind: .failure, failure: .unknown)) == .hop)
    }

    @Test func `a chunk extension without an end fails the exchange`() throws {
        let replay = try Replay()
        try replay.begin()
        #expect(replay.receive("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n") == [])
        for _ in 0..<3 { replay.exchange.receive(chunked: 900) }
        #expect(replay.exchange.failure is TransportFailure)
        #expect(replay.exchange.takeWishes() == .turn)
    }

    @Test func `user and password are not sent if they are empty or belong to Digest`() throws {
        for (url, sent) in [
            ("http://@a.example/", "http://a.example/"), ("http://:@a.example/?q", "http://a.example/?q"),
            ("http://u:p@a.example/#x", "http://u:p@a.example/"), ("http://a.example/@", "http://a.example/@"),
        ] {
            let replay = try Replay(url)
            try replay.begin()
            #expect(replay.message?.url == sent)
        }
        let withDigest = try Replay("http://u:p@a.example/") {
            $0.digestCredential = PasswordCredential(user: "u", password: "p")
        }
        try withDigest.begin()
        #expect(withDigest.message?.url == "http://a.example/")
    }

    /// Whatever arrives, in whatever pieces, an exchange has one end.
    @Test func `random reports do not stop an exchange from coming to its end`() throws {
        var random = SeededChance(seed: 1)
        let lines = [
            "HTTP/1.1 200 OK\r\n", "HTTP/1.1 302 Found\r\n", "HTTP/1.1 401 No\r\n", "HTTP/1.1 100 Continue\r\n",
            "A: b\r\n", "Location: /x\r\n", "Content-Length: 3\r\n", "Transfer-Encoding: chunked\r\n", " folded\r\n",
            "\r\n", "\r", "Content-Encoding: gzip\r\n", "WWW-Authenticate: Digest realm=r, nonce=n\r\n",
            "HTTP/2 204\r\n", "nothing\r\n",
        ]
        let outcomes: [CurlOutcome] = [
            .complete, .cutShort, CurlOutcome(failure: .cancelled), CurlOutcome(kind: .failure, failure: .unknown),
            CurlOutcome(kind: .connectionLoss, failure: .networkConnectionLost), CurlOutcome(kind: .streamClosed),
        ]
        for _ in 0..<2_000 {
            let replay = try Replay(method: Bool.random(using: &random) ? "PUT" : "GET", body: "text") {
                $0.streamsResponse = Bool.random(using: &random)
                if Bool.random(using: &random) { $0.digestCredential = PasswordCredential(user: "u", password: "p") }
            }
            var next = CurlExchange.Next.hop
            var hops = 0
            while next != .end {
                hops += 1
                guard hops < 200 else {
                    Issue.record("more than 200 hops")
                    return
                }
                if next == .hop { try replay.begin() }
                for _ in 0..<Int.random(in: 0..<12, using: &random) where replay.exchange.failure == nil {
                    switch Int.random(in: 0..<8, using: &random) {
                    case 0: _ = replay.connected(isMultiplexed: Bool.random(using: &random))
                    case 1: _ = replay.read(2, hasUnread: Bool.random(using: &random))
                    case 2: _ = replay.receive(body: "ab")
                    case 3: replay.exchange.receive(chunked: 500)
                    default: _ = replay.receive(lines.randomElement(using: &random) ?? "")
                    }
                }
                next = replay.end(outcomes.randomElement(using: &random) ?? .complete)
            }
            _ = replay.exchange.result(of: .complete, 0)
        }
    }
}

/// An exchange with recorded heads and bodies; a reference, since an expectation cannot mutate a value.
private final class Replay {
    var exchange: CurlExchange
    private(set) var message: CurlExchange.Message?

    init(
        _ url: String = "http://a.example/", method: String = "GET", body: String? = nil,
        _ change: (inout TransportRequest) -> Void = { _ in }
    ) throws {
        var urlRequest = URLRequest(url: try #require(URL(string: url)))
        urlRequest.httpMethod = method
        if method != "GET" { urlRequest.httpBody = body.map { Data($0.utf8) } }
        var request = TransportRequest(urlRequest)
        change(&request)
        exchange = CurlExchange(request)
        exchange.times.submit(0, totalLimit: 1_000)
    }

    func begin() throws {
        message = try exchange.begin(0, unreachedSince: nil, headLimit: 1_024) {}
        exchange.hop.decodesBody = true
    }

    func connected(isMultiplexed: Bool = false) -> Bool {
        let connection = ConnectionID(remote: nil, remotePort: 80, local: nil, localPort: 1)
        return exchange.connected(over: connection, isMultiplexed: isMultiplexed, 0)
    }

    /// Reports lines, and returns the wishes; `nil` if the exchange has failed.
    func receive(_ lines: String) -> CurlExchange.Wishes? {
        for line in lines.split(separator: "\r\n", omittingEmptySubsequences: false).dropLast() {
            let bytes = Array("\(line)\r\n".utf8)
            let kind = bytes.withUnsafeBufferPointer { exchange.receive(line: $0, 0, isMultiplexed: false) }
            if kind == .failed { return nil }
        }
        return exchange.takeWishes()
    }

    func receive(body pieces: String..., hasRoom: Bool = true, isTurnOver: Bool = false) -> [CurlReceipt] {
        pieces.map { piece in
            Array(piece.utf8).withUnsafeBufferPointer {
                exchange.receive($0, 0, hasRoom: { _ in hasRoom }, isTurnOver: isTurnOver)
            }
        }
    }

    /// Returns what is read of the body; `nil` if that must wait.
    func read(_ count: Int, hasUnread: Bool = false) -> String? {
        var room = [UInt8](repeating: 0, count: count)
        let reading = room.withUnsafeMutableBytes { exchange.read(into: $0, 0, hasUnread: hasUnread) }
        guard case .bytes(let read) = reading else { return nil }
        return String(decoding: room[..<read], as: UTF8.self)
    }

    func end(_ outcome: CurlOutcome) -> CurlExchange.Next { exchange.end(outcome) }
}
#endif
