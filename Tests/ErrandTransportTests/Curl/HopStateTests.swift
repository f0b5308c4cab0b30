#if canImport(CCurl)
import Testing

@testable import Errand

struct `One hop` {
    private let connection = ConnectionID(remote: "127.0.0.1", remotePort: 443, local: "127.0.0.1", localPort: 40_000)

    private func hop(
        isIdempotent: Bool = true, canRepeatBody: Bool = true, isHead: Bool = false, failedSendings: Int = 0
    ) -> Hop {
        Hop(
            HopState(
                HopState.Request(isIdempotent: isIdempotent, canRepeatBody: canRepeatBody, isHead: isHead),
                headLimit: 1 << 16, failedSendings: failedSendings))
    }

    private let lost = CurlOutcome.cutShort

    @Test func `a hop that ends after its response returns it`() throws {
        let hop = hop()
        #expect(hop.connected(over: connection))
        #expect(try hop.head("HTTP/1.1 200 OK", "Content-Length: 2"))
        #expect(!hop.state.isComplete)
        #expect(hop.receive(2) == .deliver)
        #expect(hop.state.isComplete)
        #expect(hop.end(.complete) == .response)
    }

    @Test(arguments: ["Content-Length: 0", "Content-Length: 5"])
    func `the length of a chunked body does not end it`(_ length: String) throws {
        let hop = hop()
        #expect(hop.connected(over: connection))
        #expect(try hop.head("HTTP/1.1 200 OK", length, "Transfer-Encoding: chunked"))
        #expect(!hop.state.isComplete)
        #expect(hop.receive(5) == .deliver)
        #expect(!hop.state.isComplete && !hop.state.declaresLength)
    }

    @Test(arguments: [true, false], [true, false])
    func `libcurl may resend a request only if it is idempotent and has no response`(
        _ isIdempotent: Bool, _ hasHead: Bool
    ) throws {
        let hop = hop(isIdempotent: isIdempotent)
        #expect(hop.connected(over: connection))
        #expect(!hop.state.wasSentAgain)
        if hasHead { _ = try hop.head("HTTP/1.1 417 Expectation Failed", "Content-Length: 0") }
        #expect(hop.connected(over: connection) == (isIdempotent && !hasHead))
        #expect(hop.state.wasSentAgain)
        // A head is still the response if libcurl was prevented from sending the request again.
        if hasHead { #expect(hop.end(lost) == .response) }
    }

    /// The conditions: an idempotent method, a body that can be repeated, a reused connection, no response yet, and not
    /// too many attempts.
    @Test(arguments: 0..<6)
    func `a hop restarts only if every condition for a restart is met`(_ missing: Int) throws {
        let hop = hop(
            isIdempotent: missing != 1, canRepeatBody: missing != 2, failedSendings: missing == 3 ? 6 : 5)
        _ = hop.connected(over: connection)
        if missing == 4 { _ = try hop.line("HTTP/1.1 200 OK") }
        #expect(hop.end(lost, isReused: missing != 5) == (missing == 0 ? .beginAgain : .fail))
        #expect(hop.state.allFailedSendings == (missing == 3 ? 7 : 6))
    }

    /// libcurl reports that it writes a request, but not if it never begins to write.
    @Test func `a hop whose request is never written restarts a limited number of times`() {
        var failedSendings = 0
        for _ in 0..<100 {
            let hop = hop(failedSendings: failedSendings)
            guard hop.end(lost) == .beginAgain else { break }
            failedSendings = hop.state.allFailedSendings
        }
        #expect(failedSendings == HopState.sendingLimit)
    }

    @Test func `a hop cancelled by the event loop fails`() throws {
        let hop = hop()
        _ = hop.connected(over: connection)
        #expect(hop.end(CurlOutcome(failure: .cancelled)) == .fail)
        _ = try hop.head("HTTP/1.1 302 Found")
        hop.state.decide(isFollowed: true)
        #expect(hop.end(CurlOutcome(failure: .cancelled)) == .fail)
    }

    @Test func `a redirect is followed however its body ends`() throws {
        let hop = hop()
        _ = try hop.head("HTTP/1.1 302 Found", "Content-Length: 100")
        hop.state.decide(isFollowed: true)
        #expect(hop.state.isComplete)
        #expect(hop.end(lost) == .follow)
        #expect(hop.end(.complete) == .follow)
    }

    @Test(arguments: [true, false])
    func `a redirect is not complete before the decision about it`(_ isFollowed: Bool) throws {
        let hop = hop()
        _ = try hop.head("HTTP/1.1 302 Found", "Content-Length: 0")
        #expect(hop.state.isComplete)
        hop.state.awaitDecision()
        #expect(!hop.state.isComplete)
        hop.state.decide(isFollowed: isFollowed)
        #expect(hop.state.isComplete)
        #expect(hop.end(.complete) == (isFollowed ? .follow : .response))
    }

    @Test func `the body of a redirect is read up to a limit`() throws {
        let hop = hop()
        _ = try hop.head("HTTP/1.1 302 Found")
        hop.state.decide(isFollowed: true)
        #expect(hop.receive(HopState.redirectBodyLimit) == .drop)
        #expect(hop.receive(1) == .refuse)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK", "Content-Length: 3", false, true, false), ("HTTP/1.1 200 OK", "A: b", false, false, false),
        ("HTTP/1.1 200 OK", "Content-Length: 0", false, true, true), ("HTTP/1.1 204 No", "A: b", false, true, true),
        ("HTTP/1.1 304 Not", "Content-Length: 9", false, true, true),
        ("HTTP/1.1 200 OK", "Content-Length: 9", true, true, true),
    ])
    func `the response head determines when a hop is complete`(
        _ status: String, _ field: String, _ isHead: Bool, _ declaresLength: Bool, _ isComplete: Bool
    ) throws {
        let hop = hop(isHead: isHead)
        #expect(!hop.state.isComplete)
        _ = try hop.head(status, field)
        #expect(hop.state.declaresLength == declaresLength)
        #expect(hop.state.isComplete == isComplete)
    }

    /// During an upload, a server that has responded may close only the stream.
    @Test(arguments: [("Content-Length: 2", HopState.Next.fail), ("A: b", .response)])
    func `a closed stream ends a response unless bytes of its length are missing`(
        _ field: String, _ next: HopState.Next
    ) throws {
        let hop = hop()
        _ = hop.connected(over: connection)
        _ = try hop.head("HTTP/2 200", field)
        _ = hop.receive(1)
        #expect(hop.end(CurlOutcome(kind: .streamClosed, failure: .networkConnectionLost)) == next)
    }

    @Test func `a complete response is returned even if the connection fails afterward`() throws {
        let hop = hop(isIdempotent: false)
        _ = hop.connected(over: connection)
        _ = try hop.head("HTTP/2 200", "Content-Length: 2")
        _ = hop.receive(1)
        let other = Hop(hop.state)
        #expect(hop.end(lost) == .fail)
        _ = other.receive(1)
        #expect(other.end(lost) == .response)
    }
}

/// A reference to a hop, since an expectation cannot mutate a value.
private final class Hop {
    var state: HopState

    init(_ state: HopState) {
        self.state = state
    }

    func connected(over connection: ConnectionID) -> Bool { state.connected(over: connection) }
    func receive(_ count: Int) -> HopState.Piece { state.receive(count) }
    func end(_ outcome: CurlOutcome, isReused: Bool = true) -> HopState.Next { state.end(outcome, isReused: isReused) }

    func line(_ text: String) throws -> Bool {
        try Array("\(text)\r\n".utf8).withUnsafeBufferPointer { try state.receive(line: $0) }
    }

    /// Returns `true` if a head is that of the response.
    func head(_ lines: String...) throws -> Bool {
        for text in lines { _ = try line(text) }
        return try line("")
    }
}
#endif
