import Errand
import TestSupport
import Testing

struct `The body of a patch` {
    private struct Spy: Interceptor {
        let sent: Recorder<URLRequest>

        func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
            sent.record(request.urlRequest)
            return try await next(request)
        }
    }

    @Test func `a JSON Patch is sent as a request body with its media type`() async throws {
        let sent = Recorder<URLRequest>()
        for body in [RequestBody.jsonPatch([.remove("/a")]), .mergePatch(["a": nil])] {
            let request = APIBase()
            request.baseURL = URL(string: "https://api.example.com")
            request.method = .patch
            request.body = body
            request.dataTaskPipeline = .just(DataResponse(statusCode: 204))
            request.interceptors = [Spy(sent: sent)]
            _ = try await request.startRequest().value
        }
        #expect(
            sent.elements.map { $0.value(forHTTPHeaderField: "Content-Type") } == [
                "application/json-patch+json", "application/merge-patch+json",
            ])
        #expect(
            sent.elements.map { String(decoding: $0.httpBody ?? Data(), as: UTF8.self) } == [
                #"[{"op":"remove","path":"/a"}]"#, #"{"a":null}"#,
            ])
    }
}
