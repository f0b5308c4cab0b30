import Errand
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `The limits of a HAR recorder` {
    /// Sends a request to a path of `https://library.example.com` through a recorder.
    private func send(
        _ path: String, through recorder: HARRecorder, _ response: @escaping @Sendable () -> DataResponse
    ) async throws -> DataResponse {
        let request = TransportRequest(URLRequest(url: try .nowhere(path)))
        return try await recorder.intercept(request, next: Next { _ in response() })
    }

    private func json(_ count: Int) -> DataResponse {
        let text = "[\"\(String(repeating: "a", count: count))\"]"
        return DataResponse(statusCode: 200, headers: ["Content-Type": "application/json"], data: Data(text.utf8))
    }

    private func text(_ count: Int, isStreamed: Bool) -> DataResponse {
        let (headers, body) = (["Content-Type": "text/plain"] as HeaderFields, Data(repeating: 97, count: count))
        guard isStreamed else { return DataResponse(statusCode: 200, headers: headers, data: body) }
        let pieces = Locked([body])
        return DataResponse(statusCode: 200, headers: headers, body: ResponseBody { pieces.withLock { $0.popLast() } })
    }

    @Test func `the oldest requests are removed when the file would exceed its maximum size`() async throws {
        let recorder = HARRecorder(hosts: ["*.example.com"], bodies: true, maximumSize: 20_000)
        for number in 0..<50 { _ = try await send("/\(number)", through: recorder) { json(1000) } }
        let archive = recorder.archive
        let count = archive.log.entries.count
        #expect((5..<20).contains(count))
        #expect(
            archive.log.entries.map(\.request.url) == (50 - count..<50).map { "https://library.example.com/\($0)" })
        #expect(
            archive.log.comment
                == "requests: 50, kept: \(count), oldest removed because of the maximum size: \(50 - count), "
                + "without a response yet: 0")
        #expect(try archive.encoded().count <= 20_000)
    }

    @Test(arguments: [true, false])
    func `a response that alone exceeds the maximum size is recorded without its body`(_ isStreamed: Bool) async throws
    {
        let recorder = HARRecorder(
            hosts: ["*.example.com"], bodies: true, redacting: .keepingAll, maximumSize: 9000)
        for number in 0..<3 { _ = try await send("/\(number)", through: recorder) { json(10) } }
        let response = try await send("/large", through: recorder) { text(10_004, isStreamed: isStreamed) }
        _ = try await response.collected(upTo: .max)
        let entries = recorder.archive.log.entries
        #expect(entries.map { URL(string: $0.request.url)?.lastPathComponent } == ["0", "1", "2", "large"])
        #expect(entries.last?.response.content.size == 10_004)
        #expect(entries.last?.response.content.text == nil)
        #expect(entries.last?.response.content.comment == "not recorded")
        #expect(recorder.archive.log.comment == nil)
    }

    @Test func `a request that alone exceeds the maximum size is removed alone`() async throws {
        let recorder = HARRecorder(hosts: ["*.example.com"], bodies: true, maximumSize: 5000)
        _ = try await send("/", through: recorder) { json(10) }
        _ = try await send("/" + String(repeating: "a", count: 6000), through: recorder) { json(10) }
        #expect(recorder.archive.log.entries.map(\.request.url) == ["https://library.example.com/"])
        #expect(recorder.archive.log.comment?.contains("size: 1,") == true)
    }

    @Test func `a large stream that is being read removes no complete entry`() async throws {
        let recorder = HARRecorder(
            hosts: ["*.example.com"], bodies: true, redacting: .keepingAll, maximumBodySize: .max, maximumSize: 10_000)
        for number in 0..<3 { _ = try await send("/\(number)", through: recorder) { json(10) } }
        let response = try await send("/large", through: recorder) { endless() }
        var iterator = response.body.makeAsyncIterator()
        for _ in 0..<1000 { _ = try await iterator.next() }
        let entries = recorder.archive.log.entries
        #expect(entries.map { URL(string: $0.request.url)?.lastPathComponent } == ["0", "1", "2", "large"])
        #expect(entries.last?.response.content.size == 100_000)
        #expect(entries.last?.response.content.comment == "not recorded")
    }

    @Test func `an endless stream is recorded up to the maximum size of a body`() async throws {
        var redaction = Cassette.Redaction()
        redaction.keptTypes = ["*/*"]
        let recorder = HARRecorder(
            hosts: ["*.example.com"], bodies: true, redacting: redaction, maximumBodySize: 1000)
        let response = try await send("/", through: recorder) { endless() }
        var iterator = response.body.makeAsyncIterator()
        for _ in 0..<10_000 { _ = try await iterator.next() }
        let content = try #require(recorder.archive.log.entries.first?.response.content)
        #expect(content.text?.utf8.count == 1000)
        #expect(content.size == 1_000_000)
    }

    @Test func `concurrent streams are held up to the maximum size of the file`() async throws {
        var redaction = Cassette.Redaction()
        redaction.keptTypes = ["*/*"]
        let recorder = HARRecorder(
            hosts: ["*.example.com"], bodies: true, redacting: redaction, maximumBodySize: 2000, maximumSize: 10_000)
        var responses: [DataResponse] = []
        for number in 0..<20 {
            let response = try await send("/\(number)", through: recorder) { endless() }
            var iterator = response.body.makeAsyncIterator()
            for _ in 0..<20 { _ = try await iterator.next() }
            responses.append(response)
        }
        let archive = recorder.archive
        #expect(try archive.encoded().count <= 10_000)
        #expect(archive.log.entries.last?.request.url.hasSuffix("/19") == true)
        #expect(archive.log.comment?.hasPrefix("requests: 20, kept: \(archive.log.entries.count),") == true)
        responses = []
        #expect(try recorder.archive.encoded().count <= 10_000)
    }

    private func endless() -> DataResponse {
        DataResponse(
            statusCode: 200, headers: ["Content-Type": "text/plain"],
            body: ResponseBody { Data(repeating: UInt8(ascii: "a"), count: 100) })
    }
}
