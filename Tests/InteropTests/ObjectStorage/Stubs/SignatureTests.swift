import Errand
import ErrandAuth
import TestSupport
import Testing

struct `Signatures of a store's requests` {
    @Test func `each attempt is signed again`() async throws {
        let sent = Recorder<URLRequest>()
        let times = Locked([0.0, 60.0])
        var bucket = Bucket.example { request in
            sent.record(request.urlRequest)
            return DataResponse(statusCode: sent.elements.count == 1 ? 503 : 204)
        }
        bucket.retryPolicy = .immediate
        bucket.signature.now = { Date(timeIntervalSince1970: 1_369_353_600 + times.withLock { $0.removeFirst() }) }
        try await DeleteObject("note", in: bucket).start().value
        let dates = sent.elements.map { $0.value(forHTTPHeaderField: "X-Amz-Date") }
        #expect(dates == ["20130524T000000Z", "20130524T000100Z"])
        #expect(Set(sent.elements.map { $0.value(forHTTPHeaderField: "Authorization") }).count == 2)
    }

    @Test func `streamed and excluded bodies are not hashed for the signature`() async throws {
        let sent = Recorder<URLRequest>()
        var bucket = Bucket.example { request in
            sent.record(request.urlRequest)
            return DataResponse(statusCode: 200)
        }
        let file = try TemporaryFile(Data("x".utf8))
        _ = try await PutObject("note", .file(file.url), in: bucket).start().value
        _ = try await PutObject("note", .text("x"), in: bucket).start().value
        bucket.signature.signsBodies = false
        _ = try await PutObject("note", .text("x"), in: bucket).start().value
        let digest = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
        #expect(
            sent.elements.map { $0.value(forHTTPHeaderField: "X-Amz-Content-Sha256") }
                == ["UNSIGNED-PAYLOAD", digest, "UNSIGNED-PAYLOAD"])
    }
}
