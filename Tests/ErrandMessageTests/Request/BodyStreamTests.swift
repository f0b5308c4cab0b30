import TestSupport
import Testing

@testable import Errand

struct `A body stream` {
    /// Records each read of the status, which must not happen while another thread reads.
    private final class WatchedStream: InputStream {
        private let looks: Recorder<Bool>

        init(_ looks: Recorder<Bool>) {
            self.looks = looks
            super.init(data: Data("four".utf8))
        }

        override var streamStatus: Stream.Status {
            looks.record(true)
            return super.streamStatus
        }
    }

    @Test func `a struct request fails if its stream was opened before, also with a stub`() async {
        struct Upload: EndpointRequest {
            let body: RequestBody
            var endpoint: Endpoint<Void> { .post(url: URL(string: "https://api.example.com"), body: body) }
        }
        let opened = InputStream(data: Data("a".utf8))
        opened.open()
        let request = Upload(body: .stream(BodyStream(opened)))
        await expectFailure(.bodyStreamAlreadyOpened) {
            try await request.schedule(stub: request.stubResponse()).value
        }
    }

    @Test func `the status of an input stream is only read before reading begins`() throws {
        let looks = Recorder<Bool>()
        let body = BodyStream(WatchedStream(looks))
        #expect(looks.elements.count == 1)
        try body.checkUnopened()
        try body.claimForSending()
        #expect { try body.claimForSending() } throws: { ErrandError.Code.bodyStreamAlreadyOpened ~= $0 }
        try body.checkUnopened()
        #expect(looks.elements.count == 1)
    }

    @Test func `a body stream is kept in copies of a URL request`() async throws {
        var request = URLRequest(url: try #require(URL(string: "https://example.com/a")))
        #expect(request.bodyStream == nil)
        request.httpBody = Data("data".utf8)
        #expect(request.bodyStream == nil)
        request.bodyStream = BodyStream(AsyncStream { nil }, count: 7)
        #expect(request.httpBody == nil)
        var copy = request
        copy.httpMethod = "PUT"
        copy.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        #expect(copy.bodyStream?.count == 7)
        try copy.bodyStream?.claimForSending()
        // It is the same body, which can be sent once.
        #expect { try request.bodyStream?.claimForSending() } throws: {
            ErrandError.Code.bodyStreamAlreadyOpened ~= $0
        }
        copy.bodyStream = nil
        #expect(copy.httpBodyStream == nil)
        #expect(request.bodyStream?.count == 7)
        copy.httpBodyStream = InputStream(data: Data())
        #expect(copy.bodyStream == nil)
    }
}
