import Errand
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `The errors of streamed parts` {
    private final class FilesAPI: APIBase {
        override class func mapError(_ error: any Error) -> any Error { Failure(error: error as? ErrandError) }
    }

    /// The API's own error.
    private struct Failure: Error {
        let error: ErrandError?
    }

    private struct Line: Decodable {
        let number: Int
    }

    private func send<API: APIBase>(_ request: API, _ pieces: [String]) -> ResponseStream {
        request.baseURL = URL(string: "https://files.example.com/?key=hunter2")
        request.dataTaskPipeline = request.stubStream(
            headers: ["Content-Type": "multipart/mixed; boundary=b"], pieces)
        return request.sendStream()
    }

    private func expectDescription(_ error: ErrandError?, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(error?.statusCode == 200, sourceLocation: sourceLocation)
        #expect(error?.url?.absoluteString == "https://files.example.com/?key=***", sourceLocation: sourceLocation)
    }

    @Test func `a part that ends too early fails its content, and all that is read after it`() async throws {
        let stream = send(APIBase(), ["--b\r\n\r\none\r\n--b\r\n\r\ntw"])
        var parts = stream.streamedParts().makeAsyncIterator()
        let first = try #require(try await parts.next())
        #expect(try await first.collected().data == Data("one".utf8))
        let second = try #require(try await parts.next())
        var content = second.body.makeAsyncIterator()
        #expect(try await content.next() == Data("tw".utf8))
        for _ in 1...2 {
            let error = await expectFailure(.decodingFailed) { try await content.next(isolation: #isolation) }
            #expect(error?.reason == "the multipart body ends before its last boundary")
            expectDescription(error)
        }
        await expectFailure(.decodingFailed) { try await second.collected() }
        let error = await expectFailure(.decodingFailed) { try await parts.next(isolation: #isolation) }
        #expect(error?.reason == "the multipart body ends before its last boundary")
        // A part that was read before is complete.
        #expect(try await first.collected().data.isEmpty)
    }

    @Test func `a loop that catches the error of a part does not end as if the body were complete`() async {
        var results: [Bool] = []
        await expectFailure(.decodingFailed) {
            for try await part in send(APIBase(), ["--b\r\n\r\none\r\n--b\r\n\r\ntw"]).streamedParts() {
                do {
                    _ = try await part.collected()
                    results.append(true)
                } catch {
                    results.append(false)
                }
            }
        }
        #expect(results == [true, false])
    }

    @Test func `parts fail after the task that read a content was cancelled`() async throws {
        let gate = Gate()
        let body = ResponseBody(waitingFor: gate, after: "--b\r\n\r\none")
        var parts = body.streamedParts(boundary: "b").makeAsyncIterator()
        let part = try #require(try await parts.next())
        let reading = Task { try await part.collected() }
        try await gate.waitForArrivals(1)
        reading.cancel()
        await expectFailure(.cancelled) { try await reading.value }
        await expectFailure(.cancelled) { try await part.collected() }
        await expectFailure(.cancelled) { try await parts.next(isolation: #isolation) }
    }

    @Test(arguments: [1, 3]) func `a part that was too large fails again, and the next one can be read`(
        _ pieces: Int
    ) async throws {
        let text = "--b\r\n\r\n1234\(pieces == 1 ? "" : "|")5678\(pieces == 1 ? "" : "|")90\r\n--b\r\n\r\ntwo\r\n--b--"
        let stream = send(APIBase(), text.split(separator: "|").map(String.init))
        var parts = stream.streamedParts().makeAsyncIterator()
        let part = try #require(try await parts.next())
        for limit in [5, 1 << 20] {
            let error = await expectFailure(.elementTooLarge) { try await part.collected(upTo: limit) }
            #expect(error?.reason == "a part has more than 5 bytes")
            expectDescription(error)
        }
        var content = part.body.makeAsyncIterator()
        await expectFailure(.elementTooLarge) { try await content.next(isolation: #isolation) }
        #expect(try await parts.next()?.collected().data == Data("two".utf8))
    }

    @Test func `a part in memory can be collected again after it was too large`() async throws {
        let part = StreamedPart(body: ResponseBody(Data("12".utf8)))
        await expectFailure(.elementTooLarge) { try await part.collected(upTo: 1) }
        #expect(try await part.collected().data == Data("12".utf8))
    }

    @Test func `each error of a part describes the response, and is the API's own`() async throws {
        let text = "--b\r\n\r\n{\"number\":\"one\"}\r\n--b\r\n\r\nskipped\r\n--b\r\n\r\n1234\r\n--b\r\n\r\nlast"
        func expect(_ code: ErrandError.Code, _ read: () async throws -> Void) async {
            do {
                try await read()
                Issue.record("nothing was thrown, expected \(code)")
            } catch let failure as Failure {
                #expect(failure.error?.code == code)
                expectDescription(failure.error)
            } catch {
                Issue.record("\(error) was thrown")
            }
        }
        var parts = send(FilesAPI(), [text]).streamedParts().makeAsyncIterator()
        let first = try #require(try await parts.next())
        await expect(.decodingFailed) { for try await _ in first.body.values(of: Line.self) {} }
        let skipped = try #require(try await parts.next())
        let third = try #require(try await parts.next())
        await expect(.decodingFailed) { for try await _ in skipped.body {} }
        await expect(.elementTooLarge) { _ = try await third.collected(upTo: 3) }
        let last = try #require(try await parts.next())
        await expect(.decodingFailed) { _ = try await last.collected() }
        await expect(.decodingFailed) { _ = try await parts.next(isolation: #isolation) }
    }
}
