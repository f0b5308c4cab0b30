import Errand
import ErrandTesting
import TestSupport
import Testing

/// A class declares one decoder and one encoder, which all of its requests use.
@Suite(.hangGuard) struct `The decoder and the encoder of an API` {
    struct Reading: Codable, Hashable, Sendable { var sensorName: String }
    struct Trouble: Decodable, Hashable, Sendable { var errorCode: Int }

    class SensorAPI: APIBase {
        override init() {
            super.init()
            baseURL = URL(string: "https://sensors.example.com")
            var decoder = FastJSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            self.decoder = decoder
            var encoder = FastJSONEncoder()
            encoder.keyEncodingStrategy = .convertToSnakeCase
            self.encoder = encoder
        }

        override func startRequest() -> Pipeline<DataResponse, any Error> {
            super.startRequest().validateStatusCode(in: 200..<300).decodeError(Trouble.self)
        }
    }

    final class ReadingRequest: SensorAPI, Request, StreamingRequest {
        func start() -> Pipeline<Reading, any Error> { sendRequest().decode(Reading.self) }
        func startStream() -> ResponseStream { sendStream() }
    }

    /// An API whose class declares no coder.
    final class PlainRequest: APIBase, Request, StreamingRequest {
        func start() -> Pipeline<Reading, any Error> {
            sendRequest().validateStatusCode(in: 200..<300).decodeError(Trouble.self).decode(Reading.self)
        }
        func startStream() -> ResponseStream { sendStream() }
    }

    private let snake = APIService(
        baseURL: "https://sensors.example.com", decoder: SensorAPI().decoder, encoder: SensorAPI().encoder)

    private let json = #"{"sensor_name": "door"}"#
    private let reading = Reading(sensorName: "door")

    private func stream(_ text: String) -> ReadingRequest {
        let request = ReadingRequest()
        request.dataTaskPipeline = request.stubStream(headers: [.contentType: "text/event-stream"], [text])
        return request
    }

    @Test func `the decoder of an API decodes a response`() async throws {
        let request = ReadingRequest()
        request.dataTaskPipeline = request.stubJSONResponse(data: Data(json.utf8))
        #expect(try await request.start().value == reading)
    }

    @Test func `the decoder of an API decodes the error document`() async throws {
        let request = ReadingRequest()
        request.dataTaskPipeline = request.stubJSONResponse(statusCode: 400, data: Data(#"{"error_code": 7}"#.utf8))
        let error = await expectFailure(.unacceptableStatusCode) { try await request.start().value }
        #expect(error?.payload(as: Trouble.self) == Trouble(errorCode: 7))
        #expect(error?.reason == "the status is 400, not 200 to 299")
    }

    @Test func `the decoder of an API decodes the error document of a stream`() async throws {
        let request = ReadingRequest()
        request.dataTaskPipeline = request.stubStream(statusCode: 400, [#"{"error_code": 7}"#])
        let error = await expectFailure(.unacceptableStatusCode) {
            for try await _ in request.startStream() {}
        }
        #expect(error?.payload(as: Trouble.self) == Trouble(errorCode: 7))
    }

    @Test func `the decoder of an API decodes the values of a stream`() async throws {
        let lines = json + "\n" + json
        #expect(try await stream(lines).startStream().values(of: Reading.self).collected() == [reading, reading])
        let results = try await stream(lines).startStream().results(of: Reading.self).collected()
        let successes = try results.map { try $0.get() }
        #expect(successes == [reading, reading])
        let body = try await stream(lines).startStream().open().body
        #expect(try await body.values(of: Reading.self).collected() == [reading, reading])
    }

    @Test func `the decoder of an API decodes the data of events`() async throws {
        let text = "data: \(json)\n\n"
        var values = stream(text).startStream().eventSource().values(of: Reading.self).makeAsyncIterator()
        #expect(try await values.next() == reading)
        var events = stream(text).startStream().eventSource().makeAsyncIterator()
        let event = try #require(try await events.next())
        #expect(try event.decode(Reading.self) == reading)
        let body = try await stream(text).startStream().open().body
        #expect(try await body.events(of: Reading.self).collected() == [reading])
        let bodyAgain = try await stream(text).startStream().open().body
        let inBody = try await bodyAgain.events().collected()
        let decoded = try inBody.map { try $0.decode(Reading.self) }
        #expect(decoded == [reading])
    }

    @Test func `the coders of a service are used if the class declares none`() async throws {
        let request = PlainRequest()
        request.dataTaskPipeline = request.stubJSONResponse(statusCode: 400, data: Data(#"{"error_code": 7}"#.utf8))
        let error = await expectFailure(.unacceptableStatusCode) {
            try await request.schedule(with: snake).value
        }
        #expect(error?.payload(as: Trouble.self) == Trouble(errorCode: 7))
        request.dataTaskPipeline = request.stubStream([json])
        let values = request.startStream(with: snake).values(of: Reading.self)
        #expect(try await values.collected() == [reading])
    }

    @Test func `the decoder of a class decodes the error document of a service`() async throws {
        let service = APIService(acceptedStatusCodes: 200..<300, errorDocument: Trouble.self)
        final class BareRequest: APIBase, Request {
            override init() {
                super.init()
                baseURL = URL(string: "https://sensors.example.com")
                decoder = SensorAPI().decoder
            }
            func start() -> Pipeline<Reading, any Error> { sendRequest().decode(Reading.self) }
        }
        let request = BareRequest()
        request.dataTaskPipeline = request.stubJSONResponse(statusCode: 400, data: Data(#"{"error_code": 7}"#.utf8))
        let error = await expectFailure(.unacceptableStatusCode) { try await request.schedule(with: service).value }
        #expect(error?.payload(as: Trouble.self) == Trouble(errorCode: 7))
    }

    @Test func `a decoder passed to a call overrides the decoder of the API`() async throws {
        let plain = FastJSONDecoder()
        let camel = #"{"sensorName": "door"}"#
        let values = stream(camel).startStream().values(of: Reading.self, decoder: plain)
        #expect(try await values.collected() == [reading])
        // The class's decoder would accept this document, and the default decoder does not.
        let snake = stream(json).startStream().values(of: Reading.self, decoder: plain)
        await expectFailure(.decodingFailed) { try await snake.collected() }
        var events = stream("data: \(json)\n\n").startStream().eventSource().makeAsyncIterator()
        let event = try #require(try await events.next())
        await expectFailure(.decodingFailed) { try event.decode(Reading.self, decoder: plain) }
        let request = ReadingRequest()
        request.dataTaskPipeline = request.stubJSONResponse(statusCode: 400, data: Data(#"{"error_code": 7}"#.utf8))
        let error = await expectFailure(.unacceptableStatusCode) {
            try await request.sendRequest().decodeError(Trouble.self, decoder: plain).value
        }
        let why = "errorCode is missing, at line 1, column 1"
        #expect(error?.reason == "the status is 400, not 200 to 299; the body is not a Trouble: \(why)")
    }

    @Test func `events of different APIs are equal if their contents are equal`() async throws {
        let text = "data: \(json)\n\n"
        var events = stream(text).startStream().eventSource().makeAsyncIterator()
        let event = try #require(try await events.next())
        #expect(event == ServerSentEvent(data: json))
        #expect(Set([event, ServerSentEvent(data: json)]).count == 1)
    }

    /// Responds with the response to another API's request.
    private struct Forwarding: Interceptor {
        func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
            let other = ReadingRequest()
            other.dataTaskPipeline = other.stubJSONResponse(data: Data(#"{"sensor_name":"one"}"#.utf8))
            return try await other.startRequest().value
        }
    }

    @Test func `a response from another API is decoded with the decoder of the request`() async throws {
        let request = PlainRequest()
        request.baseURL = URL(string: "https://plain.example.com")
        request.interceptors = [Forwarding()]
        await expectFailure(.decodingFailed) { try await request.start().value }
    }
}

extension AsyncSequence {
    fileprivate func collected() async throws -> [Element] {
        var elements: [Element] = []
        for try await element in self { elements.append(element) }
        return elements
    }
}
