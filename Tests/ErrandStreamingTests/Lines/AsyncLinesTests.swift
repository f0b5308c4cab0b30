import Errand
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `The lines of a body` {
    private final class LogRequest: APIBase, StreamingRequest {
        init(_ url: URL? = URL(string: "https://logs.example.com/log?key=hunter2")) {
            super.init()
            baseURL = url
        }
        func startStream() -> some AsyncSequence<String, any Error> & Sendable {
            sendStream().lines(maximumLength: 8)
        }
    }

    private func lines(_ lines: some AsyncSequence<String, any Error> & Sendable) async throws -> [String] {
        try await lines.reduce(into: []) { $0.append($1) }
    }

    @Test func `lines are decoded as text wherever the bytes are split`() async throws {
        let body = body([
            Data("a\r".utf8), Data("\n\n\u{E9}".utf8.dropLast()), Data([0xA9, 0x0A, 0xFF, 0x0A]), Data("z".utf8),
        ])
        #expect(try await lines(body.lines()) == ["a", "", "\u{E9}", "\u{FFFD}", "z"])
    }

    @Test func `a line that is too long fails with an error that names the request without secrets`() async throws {
        let request = LogRequest()
        request.dataTaskPipeline = request.stubStream(["12345678\n12345", "6789\nnever\n"])
        var lines = request.startStream().makeAsyncIterator()
        #expect(try await lines.next() == "12345678")
        let error = await expectFailure(.elementTooLarge) { try await lines.next(isolation: #isolation) }
        #expect(error?.statusCode == 200)
        #expect(error?.url?.absoluteString == "https://logs.example.com/log?key=***")
        #expect(error?.reason == "a line has more than 8 bytes")
        #expect(try await lines.next() == nil)
    }

    @Test func `the lines of an interrupted body end with its error without the incomplete line`() async throws {
        let request = LogRequest()
        let pieces = AsyncThrowingStream<Data, any Error> { stream in
            stream.yield(Data("one\ntw".utf8))
            stream.finish(throwing: URLError(.networkConnectionLost))
        }
        request.dataTaskPipeline = request.stubStream(pieces)
        var lines = request.startStream().makeAsyncIterator()
        #expect(try await lines.next() == "one")
        await expectTransportFailure(.networkConnectionLost) { try await lines.next(isolation: #isolation) }
        #expect(try await lines.next() == nil)
    }

    @Test func `reading lines in a cancelled task fails at once even if more lines are available`() async throws {
        let gate = Gate()
        let task = Task {
            var lines = body("a\nb\nc\n").lines().makeAsyncIterator()
            _ = try await lines.next()
            try? await gate.pass()
            return try await lines.next()
        }
        try await gate.waitForArrivals(1)
        task.cancel()
        await expectFailure(.cancelled) { try await task.value }
    }

    @Test func `a CancellationError of a body is thrown as an ErrandError with code cancelled`() async throws {
        await expectFailure(.cancelled) {
            try await lines(body([], thenThrowing: CancellationError()).lines())
        }
    }

    @Test func `the lines of a body release it when they fail`() async throws {
        final class Token: Sendable {}
        struct Watch { weak var token: Token? }
        func begin(_ watch: inout Watch) -> some AsyncIteratorProtocol<String, any Error> {
            let token = Token()
            watch.token = token
            let body = ResponseBody { withExtendedLifetime(token) { Data("too long\n".utf8) } }
            return body.lines(maximumLength: 3).makeAsyncIterator()
        }
        var watch = Watch()
        var lines = begin(&watch)
        #expect(watch.token != nil)
        do {
            let line = try await lines.next()
            Issue.record("the line was returned: \(line ?? "nil")")
        } catch let error as ErrandError {
            #expect(error.code == .elementTooLarge)
        }
        #expect(watch.token == nil)
        #expect(try await lines.next() == nil)
    }
}
