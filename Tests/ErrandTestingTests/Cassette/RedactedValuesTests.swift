import Errand
import TestSupport
import Testing

@testable import ErrandTesting

struct `The values that a recording redacts` {
    private let folder: CassetteFolder
    private let reports = Recorder<String>()

    init() throws {
        folder = try CassetteFolder()
    }

    /// A cassette whose reports are read by the test.
    private func cassette(_ mode: Cassette.Mode, _ redaction: Cassette.Redaction = .init()) -> Cassette {
        var cassette = Cassette(at: folder.file(), mode: mode, redacting: redaction)
        cassette.report = reports.record
        return cassette
    }

    /// Records a request with this response, and returns its run.
    private func record(
        _ response: DataResponse, _ redaction: Cassette.Redaction = .init(), _ change: (AnyRequest) -> Void = { _ in }
    ) async throws -> Cassette.Run {
        let run = try cassette(.record, redaction).start()
        let request = AnyRequest(try .nowhere(), "/books")
        request.dataTaskPipeline = .just(response)
        change(request)
        request.interceptors.append(run)
        _ = try await request.start().value
        try run.finish()
        return run
    }

    private func response(_ body: String, _ type: String, _ headers: HeaderFields = [:]) -> DataResponse {
        var headers = headers
        headers[.contentType] = type
        return DataResponse(statusCode: 200, headers: headers, data: Data(body.utf8))
    }

    @Test func `a recording reports the places of redacted values but never the values`() async throws {
        let body = #"{"users": [{"id": 1, "token": "planted"}, {"id": 2, "token": "planted"}], "pin": 1234}"#
        let headers: HeaderFields = ["Set-Cookie": "id=planted", "Link": "</?token=planted&page=2>; rel=next"]
        let run = try await record(response(body, "application/json", headers)) { request in
            request.query = ["page": 1, "api_key": "planted"]
            request.headers = ["Authorization": "Bearer planted", "Accept": "*/*"]
            request.method = .post
            request.body = .data(Data("user=u&password=planted".utf8), type: "application/x-www-form-urlencoded")
        }
        let places: [HAR.RedactedValue] = [
            .init(.requestURL, "api_key"), .init(.requestHeader, "Authorization"), .init(.requestBody, "password"),
            .init(.responseHeader, "Set-Cookie"), .init(.responseHeader, "Link"), .init(.responseBody, "pin"),
            .init(.responseBody, "users[].token"),
        ]
        #expect(Set(run.redactedValues) == Set(places))
        #expect(run.redactedValues.count == places.count)
        #expect(reports.elements.count == 1)
        let report = try #require(reports.elements.first)
        #expect(report.hasPrefix("shelf.har replays redacted values in place of the received ones: response header: "))
        for place in places { #expect(report.contains(place.description) == place.part.isInResponse) }
        #expect(!report.contains("planted"))
        #expect(try !String(contentsOf: folder.file(), encoding: .utf8).contains("planted"))
    }

    @Test func `a replayed cassette lists its redacted values without a report`() async throws {
        let recorded = try await record(response(#"{"token": "planted"}"#, "application/json"))
        let run = try cassette(.replay).start()
        #expect(run.redactedValues == [.init(.responseBody, "token")])
        #expect(run.redactedValues == recorded.redactedValues)
        try run.finish()
        #expect(reports.elements.count == 1)
    }

    @Test func `a recording reports nothing if redaction changes no value of a response`() async throws {
        let run = try await record(response(#"{"id": 1}"#, "application/json")) { request in
            request.headers = ["Authorization": "Bearer planted"]
        }
        #expect(run.redactedValues == [.init(.requestHeader, "Authorization")])
        #expect(reports.elements.isEmpty)
        let plain = try await record(response(#"{"id": 1}"#, "application/json"))
        #expect(plain.redactedValues.isEmpty)
        #expect(try !String(contentsOf: folder.file(), encoding: .utf8).contains("_redacted"))
    }

    @Test func `values that custom redaction closures change or remove are listed`() async throws {
        var redaction = Cassette.Redaction.keepingAll
        redaction.response = { response in
            response.headers.removeAll { $0.name == "Date" }
            response.content = HAR.Content(Data("short".utf8), mimeType: "text/plain")
        }
        let run = try await record(response("a long text", "text/plain", ["Date": "planted"]), redaction)
        #expect(run.redactedValues == [.init(.responseHeader, "Date"), .init(.responseBody)])
        #expect(reports.elements.first?.hasSuffix("response header: Date, response body") == true)
    }

    @Test func `a recording that is not written reports no redacted values`() async throws {
        let cassette = cassette(.record)
        await #expect(throws: URLError.self) {
            try await cassette.run {
                let request = AnyRequest(try .nowhere(), "/books")
                request.interceptors = [Failing()]
                _ = try await request.start().value
            }
        }
        #expect(reports.elements.isEmpty)
    }
}

private struct Failing: Interceptor {
    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        throw URLError(.notConnectedToInternet)
    }
}
