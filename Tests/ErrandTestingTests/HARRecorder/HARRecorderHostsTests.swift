import Errand
import ErrandTesting
import TestSupport
import Testing

struct `The hosts of a HAR recorder` {
    @Test(
        arguments: [
            ("api.example.com", "https://api.example.com/a", true),
            ("API.example.com", "https://api.EXAMPLE.com", true),
            ("api.example.com", "https://example.com", false), ("example.com", "https://api.example.com", false),
            ("api.example.com", "https://api.example.com.evil.example", false),
            ("api.example.com", "https://api.example.com@evil.example", false),
            ("*.example.com", "https://api.example.com", true), ("*.example.com", "https://a.b.example.com", true),
            ("*.example.com", "https://example.com", false), ("*.example.com", "https://badexample.com", false),
            ("localhost", "http://localhost:8080/a", true), ("localhost:8080", "http://localhost:8080", true),
            ("localhost:8080", "http://localhost:8081", false), ("localhost", "http://127.0.0.1", false),
            ("127.0.0.1", "http://127.0.0.1:80", true), ("[::1]", "http://[::1]:8080/a", true),
            ("[::1]:80", "http://[::1]:8080/a", false), ("::1", "http://[::1]:8080/a", true),
            ("https://api.example.com", "https://api.example.com/a", true),
            ("https://api.example.com", "https://api.example.com:443", true),
            ("https://api.example.com", "http://api.example.com", false),
            ("http://api.example.com:8080/", "http://api.example.com:8080/a", true),
            ("https://*.example.com", "wss://api.example.com/a", true), ("https://[::1]", "https://[::1]", true),
            ("api.example.com:443", "https://api.example.com/a", true),
            ("api.example.com:443", "http://api.example.com/a", false),
            ("api.example.com:80", "http://api.example.com/a", true),
            ("api.example.com/", "https://api.example.com/a", true),
            ("bücher.example", "https://bücher.example/a", true),
            ("*.bücher.example", "https://a.xn--bcher-kva.example/a", true),
        ])
    func `a pattern names the hosts that are recorded`(_ row: (pattern: String, url: String, isNamed: Bool))
        async throws
    {
        let recorder = HARRecorder(hosts: ["other.example", row.pattern])
        let request = TransportRequest(URLRequest(url: try #require(URL(string: row.url))))
        _ = try await recorder.intercept(request, next: Next { _ in DataResponse(statusCode: 200) })
        #expect(recorder.archive.log.entries.count == (row.isNamed ? 1 : 0))
        let comment = recorder.archive.log.comment
        #expect(row.isNamed ? comment == nil : comment?.hasSuffix(", passed on to hosts that are not named: 1") == true)
    }

    @Test(
        arguments: [
            "", "*", "*.", "*:443", "**.example.com", "api.*.com", ".example.com", "api example.com",
            "api.example.com/v1", "https://", "ftp://api.example.com", "https://api.example.com/v1",
            "user@api.example.com", "api.example.com?", "api.example.com#", "api.example.com:0",
            "api.example.com:70000", "api.example.com:https",
        ])
    func `a text that does not name a host ends the program`(_ text: String) async {
        await #expect(processExitsWith: .failure) { [text = text as String] in _ = HARRecorder(hosts: [text]) }
    }

    @Test func `a request to another host and its response are passed on unchanged`() async throws {
        let recorder = HARRecorder(hosts: ["api.example.com"], bodies: true)
        let opened = TestSupport.Recorder<Int>()
        let pieces = AsyncStream<Data> { $0.finish() }
        var request = TransportRequest(URLRequest(url: try .nowhere("/books")))
        request.bodyStream = BodyStream(pieces)
        request.streamsResponse = true
        let response = try await recorder.intercept(
            request,
            next: Next { sent in
                #expect(sent.bodyStream?.canBeReadAgain == false)
                opened.record(1)
                return DataResponse(statusCode: 200, body: ResponseBody { nil })
            })
        #expect(response.body.isStreamed)
        #expect(opened.elements == [1])
        #expect(recorder.archive.log.entries.isEmpty)
    }
}
