import Errand
import ErrandTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct `The mapError of a class` {
    /// An error converted by a class. The number of conversions shows that no error is converted twice.
    private struct LibraryError: Error {
        var code: ErrandError.Code?
        var conversions = 1
    }

    private class LibraryAPI: APIBase {
        override init() {
            super.init()
            baseURL = URL(string: "https://library.example.com")
            acceptedStatusCodes = [200]
        }

        override class func mapError(_ error: any Error) -> any Error {
            if var error = error as? LibraryError {
                error.conversions += 1
                return error
            }
            return LibraryError(code: (error as? ErrandError)?.code)
        }
    }

    private final class BookRequest: LibraryAPI, Request, StreamingRequest {
        func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
        func startStream() -> ResponseStream { sendStream() }
    }

    private let service = APIService(
        baseURL: "https://staging.example.com", mapError: { Converted(cause: $0) })

    private struct Converted: Error {
        let cause: any Error
    }

    private func code(_ send: () async throws -> some Any) async -> ErrandError.Code? {
        do {
            _ = try await send()
            Issue.record("the request was sent")
            return nil
        } catch let error as LibraryError {
            #expect(error.conversions == 1)
            return error.code
        } catch {
            Issue.record("\(error)")
            return nil
        }
    }

    private func stubbed(_ statusCode: Int = 404) -> BookRequest {
        let request = BookRequest()
        request.dataTaskPipeline = request.stubResponse(statusCode: statusCode, data: Data("{}".utf8))
        return request
    }

    @Test func `an API class converts the errors of a download`() async throws {
        let directory = FileManager.default.temporaryDirectory
        let request = stubbed()
        let target = directory.appendingPathComponent(UUID().uuidString)
        #expect(await code { try await request.sendDownload(to: target).value } == .unacceptableStatusCode)
        let notAFile = try #require(URL(string: "https://library.example.com/book"))
        #expect(await code { try await request.sendDownload(to: notAFile).value } == .invalidDownloadTarget)
    }

    @Test func `an API class converts the error of a request after its retries`() async {
        let request = stubbed(503)
        var policy = RetryPolicy.immediate
        policy.maximumAttempts = 3
        request.retryPolicy = policy
        #expect(await code { try await request.start().value } == .unacceptableStatusCode)
        #expect(await code { try await request.schedule().value } == .unacceptableStatusCode)
        let invalid = stubbed()
        invalid.baseURL = nil
        #expect(await code { try await invalid.start().value } == .missingBaseURL)
    }

    @Test func `an API class does not convert responses or errors of pipeline operators`() async throws {
        #expect(try await stubbed(200).start().value.statusCode == 200)
        await expectFailure(.decodingFailed) { try await stubbed(200).sendRequest().decode([Int].self).value }
    }

    @Test func `an API class converts the errors of a stream, before and after its head`() async {
        #expect(await code { try await stubbed().startStream().open() } == .unacceptableStatusCode)
        #expect(await code { for try await _ in stubbed().startStream() {} } == .unacceptableStatusCode)
        #expect(await code { for try await _ in stubbed().startStream().lines() {} } == .unacceptableStatusCode)
        let broken = BookRequest()
        broken.session = BreakingTransport()
        #expect(await code { for try await _ in broken.startStream() {} } == .transportFailed)
        #expect(await code { for try await _ in try await broken.startStream().open().body {} } == .transportFailed)
    }

    @Test func `an API class converts the error of a JSON value in a stream`() async {
        let request = BookRequest()
        request.dataTaskPipeline = request.stubResponse(statusCode: 200, data: Data("x123\n".utf8))
        let stream = request.startStream()
        #expect(await code { for try await _ in stream.values(of: Int.self) {} } == .decodingFailed)
        #expect(await code { for try await _ in stream.values(of: Int.self, maximumLength: 2) {} } == .elementTooLarge)
    }

    private final class ReasonRequest: APIBase, StreamingRequest {
        override class func mapError(_ error: any Error) -> any Error {
            ErrandError(ErrandError.Code(rawValue: "library"), underlyingError: error)
        }
        func startStream() -> ResponseStream { sendStream() }
    }

    @Test func `an API class converts an error of a stream once, also into an error without a URL`() async {
        let request = ReasonRequest()
        request.url = URL(string: "https://library.example.com")
        request.acceptedStatusCodes = [200]
        request.dataTaskPipeline = request.stubResponse(statusCode: 404, data: Data("{}".utf8))
        func cause(_ read: () async throws -> Void) async -> ErrandError.Code? {
            let error = await expectFailure(ErrandError.Code(rawValue: "library"), read)
            return (error?.underlyingError as? ErrandError)?.code
        }
        let stream = request.startStream()
        #expect(await cause { for try await _ in stream {} } == .unacceptableStatusCode)
        #expect(await cause { for try await _ in stream.lines() {} } == .unacceptableStatusCode)
        #expect(await cause { for try await _ in stream.bytes {} } == .unacceptableStatusCode)
        #expect(await cause { for try await _ in stream.events(of: Int.self) {} } == .unacceptableStatusCode)
        #expect(
            await cause { for try await _ in stream.eventSource().values(of: Int.self) {} } == .unacceptableStatusCode)
    }

    private struct BreakingTransport: Transport {
        func send(_ request: TransportRequest) async throws -> DataResponse {
            DataResponse(statusCode: 200, body: ResponseBody { throw URLError(.networkConnectionLost) })
        }
    }

    @Test func `an API class converts the errors of events after the last reconnection`() async {
        let request = BookRequest()
        let sent = Recorder<Int>()
        request.dataTaskPipeline = Pipeline { () async throws(any Error) in
            sent.record(1)
            throw URLError(.networkConnectionLost)
        }
        var policy = EventSourceReconnection()
        policy.maximumAttempts = 2
        policy.backoff = .immediate
        let events = request.startStream().eventSource(reconnection: policy)
        #expect(await code { for try await _ in events {} } == .transportFailed)
        #expect(sent.elements.count > 1)
    }

    @Test func `a service converts an error after the API class`() async {
        func cause(_ send: () async throws -> some Any) async -> LibraryError? {
            do { _ = try await send() } catch { return (error as? Converted)?.cause as? LibraryError }
            return nil
        }
        #expect(await cause { try await stubbed().schedule(with: service).value }?.code == .unacceptableStatusCode)
        #expect(await cause { for try await _ in stubbed().startStream(with: service) {} }?.conversions == 1)
    }

    @Test func `a leaf that calls startRequest has its failures converted once`() async throws {
        final class Direct: LibraryAPI, Request {
            override func startRequest() -> Pipeline<DataResponse, any Error> {
                super.startRequest().hasContentType(.json)
            }
            func start() -> Pipeline<DataResponse, any Error> { startRequest() }
        }
        let request = Direct()
        for stub in [request.stubResponse(statusCode: 404), request.stub(error: URLError(.cannotFindHost))] {
            request.dataTaskPipeline = stub
            let codes: [ErrandError.Code] = [.unacceptableStatusCode, .transportFailed]
            let found = await code { try await request.start().value }
            #expect(found.map(codes.contains) == true)
            #expect(await code { try await request.sendRequest().value } == found)
            #expect(await code { try await request.sendStream().open() } == found)
        }
    }
}
