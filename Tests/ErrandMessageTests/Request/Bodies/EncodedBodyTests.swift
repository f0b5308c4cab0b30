import TestSupport
import Testing

@testable import Errand

struct `An encoded body` {
    private struct Thing: Codable, Equatable, Sendable {
        var dueAt: Date
        var score = 1.0
    }

    private struct Things: Encodable, Sendable {
        var things: [Thing]
    }

    /// Encodes every value as the same text.
    private struct Constant: DataEncoder {
        var text: String

        func encode<Value: Encodable>(_ value: Value) throws -> Data { Data(text.utf8) }
    }

    private let thing = Thing(dueAt: Date(timeIntervalSince1970: 7))

    @Test func `a JSON body uses the encoder of the API unless it has its own`() throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.outputFormatting = .sortedKeys
        let expected = #"{"due_at":7,"score":1}"#
        #expect(try data(.json(thing), encoder) == Data(expected.utf8))
        #expect(try data(.json(thing, encoder: encoder), Constant(text: "API")) == Data(expected.utf8))
        #expect(try data(.json(thing, encoder: Constant(text: "own")), encoder) == Data("own".utf8))
    }

    @Test func `a JSON body rejects an encoder that declares another content type`() async {
        let api = request(.json(thing))
        api.encoder = PropertyListEncoder()
        let error = await expectFailure(.bodyEncodingFailed) { try api.buildURLRequest() }
        #expect(error?.reason == "`body`: the encoder writes application/x-plist, not JSON: use .encoded(_:type:)")
        api.body = .encoded(thing, type: .propertyList)
        #expect((try? api.buildURLRequest())?.httpBody?.starts(with: "bplist".utf8) == true)
    }

    @Test func `an encoded body of any type uses the encoder of the API unless it has its own`() throws {
        let body = RequestBody.encoded(thing, type: .mergePatchJSON)
        #expect(body.type == .mergePatchJSON)
        #expect(try data(body, Constant(text: "API")) == Data("API".utf8))
        let csv = RequestBody.encoded(thing, type: .csv, encoder: Constant(text: "a,b"))
        #expect(try data(csv, JSONEncoder()) == Data("a,b".utf8))
    }

    @Test func `a compressed JSON body uses the encoder of the API`() throws {
        let body = RequestBody.json(thing).gzipped()
        #expect(try data(body, Constant(text: "API")) == RequestBody.text("API").gzipped().data)
    }

    @Test func `a property list body can be decoded, in binary and XML format`() async throws {
        for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
            let encoder = PropertyListEncoder()
            encoder.outputFormat = format
            let body = RequestBody.propertyList(thing, encoder: encoder)
            #expect(body.type?.description == "application/x-plist")
            let response = DataResponse(statusCode: 200, data: try #require(try body.data))
            #expect(try response.decode(Thing.self, decoder: PropertyListDecoder()) == thing)
        }
        #expect(try RequestBody.propertyList(thing).data?.starts(with: "bplist".utf8) == true)
        #expect(ContentType.guessed(for: URL(fileURLWithPath: "/a.plist")) == .propertyList)
    }

    @Test(arguments: [Double.nan, .infinity])
    func `an encoding error contains the place of a number that is not finite`(_ number: Double) async {
        let value = Things(things: [Thing(dueAt: .distantPast, score: number)])
        let error = await expectFailure(.bodyEncodingFailed) { try request(.json(value)).buildURLRequest() }
        #expect(error?.reason == "`body`: things[0].score cannot be encoded: it is not a finite number")
    }

    @Test func `an encoding error contains the place and type of a rejected value, but not the value`() async {
        struct Refusing: DataEncoder {
            func encode<Value: Encodable>(_ value: Value) throws -> Data {
                throw EncodingError.invalidValue("planted", .init(codingPath: [], debugDescription: "planted"))
            }
        }
        let body = RequestBody.encoded(thing, type: .csv, encoder: Refusing())
        let error = await expectFailure(.bodyEncodingFailed) { try await request(body).sendRequest().value }
        #expect(
            error?.reason
                == "`body`: the top level cannot be encoded: the encoder does not accept this value of type String")
        #expect(error?.underlyingError is EncodingError)
        let shown = error.map { "\($0) \(String(reflecting: $0))" }
        #expect(shown?.contains("planted") == false)
    }

    private func data(_ body: RequestBody, _ encoder: any DataEncoder) throws -> Data? {
        if case .data(let data) = try body.content(BodyEncoder(encoder: encoder)) { data } else { nil }
    }

    private func request(_ body: RequestBody) -> APIBase {
        let request = APIBase()
        request.baseURL = URL(string: "https://example.com")
        request.method = .post
        request.body = body
        return request
    }
}

struct `A body that is encoded when it is sent` {
    /// A value that counts how often it is encoded.
    struct Witness: Encodable {
        let encodings = Recorder<Int>()
        var whileEncoding: @Sendable () -> Void = {}

        func encode(to encoder: any Encoder) throws {
            encodings.record(1)
            whileEncoding()
            var container = encoder.singleValueContainer()
            try container.encode("here")
        }
    }

    final class Upload: APIBase, Request {
        let transport = RecordingTransport()

        init(_ body: RequestBody) {
            super.init()
            baseURL = URL(string: "https://api.example.com")
            method = .put
            self.body = body
            session = transport
        }

        func start() -> Pipeline<Int, any Error> { sendRequest().map(\.statusCode) }
    }

    @MainActor @Test(.hangGuard) func `a body encoded when it is sent does not block the main actor`() async throws {
        // Encoding continues when the main actor has done something else meanwhile.
        let value = Witness(whileEncoding: {
            let isDone = DispatchSemaphore(value: 0)
            Task { @MainActor in isDone.signal() }
            isDone.wait()
        })
        let request = Upload(.json(value).encodedWhenSent())
        let pipeline = request.start()
        #expect(value.encodings.elements.isEmpty)
        _ = try await pipeline.value
        #expect(value.encodings.elements.count == 1)
        let sent = try #require(request.transport.sent.elements.first)
        #expect(sent.urlRequest.httpBody == Data(#""here""#.utf8))
        #expect(sent.urlRequest.value(forHTTPHeaderField: "Content-Type") == "application/json")
        #expect(sent.bodyStream == nil)
    }

    /// The rows of a document of about 100 KB, the last of which has a witness.
    struct Rows: Encodable {
        struct Row: Encodable {
            let text: String
            let witness: Witness?
        }

        let rows: [Row]

        init(last: Witness, mark: String = "") {
            let row = Row(text: String(repeating: "x", count: 100) + mark, witness: nil)
            rows = [Row](repeating: row, count: 1000) + [Row(text: "last", witness: last)]
        }
    }

    @MainActor @Test(.hangGuard, arguments: [false, true])
    func `a long body is encoded off the main actor by default, and a short one on it`(
        _ isGzipped: Bool
    ) async throws {
        let short = Witness()
        let shortRequest = Upload(isGzipped ? .json(short).gzipped() : .json(short))
        let shortPipeline = shortRequest.start()
        #expect(short.encodings.elements.count == 1)
        _ = try await shortPipeline.value
        #expect(short.encodings.elements.count == 1)

        let last = Witness(whileEncoding: {
            let isDone = DispatchSemaphore(value: 0)
            Task { @MainActor in isDone.signal() }
            isDone.wait()
        })
        let long = RequestBody.json(Rows(last: last))
        let request = Upload(isGzipped ? long.gzipped() : long)
        let pipeline = request.start()
        #expect(last.encodings.elements.isEmpty)
        #expect(request.request?.httpBody == nil)
        #expect(request.request?.httpBodyStream != nil)
        _ = try await pipeline.value
        #expect(last.encodings.elements.count == 1)
        let sent = try #require(request.transport.sent.elements.first)
        #expect(sent.bodyStream == nil)
        #expect(sent.urlRequest.httpBody == (try await whole(long, isGzipped)))
    }

    @concurrent private func whole(_ body: RequestBody, _ isGzipped: Bool) async throws -> Data? {
        try Upload(isGzipped ? body.gzipped() : body).buildURLRequest().httpBody
    }

    @Test func `a long part of a form and long compressed data are encoded when the request is sent`() async throws {
        let part = RequestBody.multipart([.json("rows", Rows(last: Witness()))])
        for body in [part, .data(Data(count: 100_000)).gzipped()] {
            let request = Upload(body)
            let pipeline = request.start()
            #expect(request.request?.httpBody == nil)
            _ = try await pipeline.value
            #expect(request.transport.sent.elements.first?.urlRequest.httpBody != nil)
        }
    }

    @Test func `the caller's closure runs once, however long the body is`() async throws {
        let calls = Recorder<Void>()
        let rows = RequestBody.encoded(type: .csv) {
            calls.record(())
            return Data(count: 100_000)
        }
        let long = RequestBody.json(Rows(last: Witness()))
        let bodies = [
            rows.gzipped(), .multipart(Multipart("multipart/mixed", [.init(rows), .init(long)])),
            rows.encodedWhenSent(),
        ]
        for (index, body) in bodies.enumerated() {
            _ = try await Upload(body).start().value
            #expect(calls.elements.count == index + 1)
        }
    }

    @Test func `a multipart body with a part that is encoded when it is sent is encoded then`() async throws {
        for part in [RequestBody.text("four"), .text("four").encodedWhenSent()] {
            let request = Upload(.multipart(.mixed([.init(part)])))
            let pipeline = request.start()
            #expect((request.request?.httpBody == nil) == part.isEncodedWhenSent)
            _ = try await pipeline.value
            #expect(request.transport.sent.elements.first?.urlRequest.httpBody?.isEmpty == false)
        }
    }

    @Test func `gzipped and encodedWhenSent can be combined in any order`() async throws {
        let plain = RequestBody.json(["title": "Malafrena"])
        let bodies = [
            plain.gzipped(), plain.gzipped().encodedWhenSent(), plain.encodedWhenSent().gzipped(),
            plain.encodedWhenSent().gzipped().encodedWhenSent(),
        ]
        var sent: [Data?] = []
        for (index, body) in bodies.enumerated() {
            let request = Upload(body)
            let pipeline = request.start()
            // Only the first request has its bytes when it is built.
            #expect((request.request?.httpBody != nil) == (index == 0))
            _ = try await pipeline.value
            sent.append(request.transport.sent.elements.first?.urlRequest.httpBody)
        }
        #expect(sent.allSatisfy { $0 != nil && $0 == sent[0] })
    }

    @Test func `a body encoded when it is sent must match its Content-Length`() async throws {
        let request = Upload(.text("four").encodedWhenSent())
        request.headers["Content-Length"] = "5"
        await expectFailure(.bodyCountMismatch) { try await request.start().value }
        #expect(request.transport.sent.elements.isEmpty)
    }

    @Test func `a body encoded when it is sent is encoded once per run for all attempts`() async throws {
        let value = Witness()
        let request = Upload(.json(value).encodedWhenSent())
        request.retryPolicy = .exponential(base: .zero)
        request.dataTaskPipeline = request.stub(inTurn: [
            request.stubResponse(statusCode: 503), request.stubResponse(), request.stubResponse(),
        ])
        let pipeline = request.start()
        _ = try await pipeline.value
        #expect(value.encodings.elements.count == 1)
        _ = try await pipeline.value
        #expect(value.encodings.elements.count == 2)
    }

    @Test func `a body that cannot be encoded when it is sent fails with the place of the error`() async throws {
        struct Thing: Encodable { var score = Double.nan }
        let request = Upload(.json(Thing()).encodedWhenSent())
        let error = await expectFailure(.bodyEncodingFailed) { try await request.start().value }
        #expect(error?.reason?.contains("score") == true)
        #expect(error?.url == request.baseURL)
        #expect(error?.attempts == 0)
        #expect(request.transport.sent.elements.isEmpty)
    }

    @Test func `encodedWhenSent accepts a stream and an empty body`() async throws {
        let streamed = Upload(.stream(BodyStream(InputStream(data: Data("once".utf8)))).encodedWhenSent())
        _ = try await streamed.start().value
        #expect(try await streamed.transport.sent.elements.first?.bodyStream?.contents() == Data("once".utf8))
        let empty = Upload(.empty.encodedWhenSent())
        _ = try await empty.start().value
        #expect(empty.transport.sent.elements.first?.urlRequest.httpBody == nil)
        let compressed = Upload(.empty.gzipped().encodedWhenSent())
        _ = try await compressed.start().value
        #expect(compressed.transport.sent.elements.first?.urlRequest.httpBody == nil)
    }
}
