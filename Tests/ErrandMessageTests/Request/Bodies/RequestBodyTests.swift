import TestSupport
import Testing

@testable import Errand

struct `A request body` {
    @Test(
        arguments: [
            (.data(Data("x".utf8)), "x", "application/octet-stream"),
            (.data(Data("x".utf8), type: "text/csv; header=present"), "x", "text/csv; header=present"),
            (.data(Data("x".utf8), type: nil), "x", nil),
            (.text("grüße"), "grüße", "text/plain; charset=utf-8"),
            (.json(["a": 1]), #"{"a":1}"#, "application/json"),
            (.urlEncoded(["b": "2", "a": "1", "b": "3 4"]), "b=2&a=1&b=3+4", "application/x-www-form-urlencoded"),
            (.encoded(type: .csv) { Data("a,b".utf8) }, "a,b", "text/csv"),
            (.encoded(["a": 1], type: .mergePatchJSON), #"{"a":1}"#, "application/merge-patch+json"),
            (.data(Data()), "", "application/octet-stream"),
        ] as [(RequestBody, String, String?)])
    func `a request body sets the data and the content type`(
        _ body: RequestBody, _ text: String, _ type: String?
    ) throws {
        let built = try request(body).buildURLRequest()
        #expect(built.httpBody.map { String(decoding: $0, as: UTF8.self) } == text)
        #expect(built.value(forHTTPHeaderField: "Content-Type") == type)
        #expect(body.type?.description == type)
        #expect(built.value(forHTTPHeaderField: "Content-Encoding") == nil)
    }

    @Test func `a file body can be a symbolic link`() async throws {
        let file = try TemporaryFile(Data(repeating: 7, count: 100_000))
        let link = file.url.appendingPathExtension("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file.url)
        defer { try? FileManager.default.removeItem(at: link) }
        let stream = try BodyStream(file: link)
        #expect(stream.count == 100_000)
        #expect(try await stream.contents() == Data(repeating: 7, count: 100_000))
    }

    @Test func `a file body cannot be a pipe or a directory`() async throws {
        let pipe = FileManager.default.temporaryDirectory.appendingPathComponent("errand-\(UUID().uuidString)")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        defer { try? FileManager.default.removeItem(at: pipe) }
        for file in [pipe, FileManager.default.temporaryDirectory] {
            await expectFailure(.bodyEncodingFailed) { try BodyStream(file: file) }
            await expectFailure(.bodyEncodingFailed) { try request(.file(file)).buildURLRequest() }
        }
    }

    @Test func `an empty body sets no data and no content type`() throws {
        let built = try request(.empty).buildURLRequest()
        #expect(built.httpBody == nil)
        #expect(built.value(forHTTPHeaderField: "Content-Type") == nil)
    }

    @Test func `a body is encoded when the request is built, with the encoder passed to it`() throws {
        struct Event: Encodable {
            var at: Date
            var encoded: Recorder<Int>

            func encode(to encoder: any Encoder) throws {
                encoded.record(1)
                var container = encoder.singleValueContainer()
                try container.encode([at])
            }
        }
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        let encoded = Recorder<Int>()
        let request = request(.json(Event(at: Date(timeIntervalSince1970: 7), encoded: encoded), encoder: encoder))
        #expect(encoded.elements.isEmpty)
        #expect(try request.buildURLRequest().httpBody == Data("[7]".utf8))
        #expect(encoded.elements.count == 1)
    }

    @Test func `a body set in buildURLRequest replaces the body of the request`() async throws {
        final class Replacing: APIBase {
            override func buildURLRequest() throws -> URLRequest {
                var request = try super.buildURLRequest()
                request.httpBody = Data("hook".utf8)
                return request
            }
        }
        let transport = RecordingTransport()
        let request = Replacing()
        request.baseURL = URL(string: "https://example.com")
        request.session = transport
        request.method = .put
        request.body = .text("body")
        _ = try await request.sendRequest().value
        #expect(transport.sent.elements.map(\.urlRequest.httpBody) == [Data("hook".utf8)])
        #expect(transport.sent.elements.allSatisfy { $0.bodyStream == nil })
    }

    @Test func `a body with an invalid media type is rejected`() throws {
        #expect { try request(.data(Data(), type: "nonsense")).buildURLRequest() } throws: {
            ErrandError.Code.invalidHeaderField ~= $0
        }
    }

    @Test func `an error of a custom encoder is the underlying error of the failure`() async {
        let error = await expectFailure(.bodyEncodingFailed) {
            try await request(.encoded(type: .csv) { throw Fault.first }).sendRequest().value
        }
        #expect(error?.underlyingError as? Fault == .first)
        #expect(error?.attempts == 0)
    }

    private func request(_ body: RequestBody) -> APIBase {
        let request = APIBase()
        request.baseURL = URL(string: "https://example.com")
        request.method = .post
        request.body = body
        return request
    }
}

struct `A form in a body` {
    @Test(arguments: [
        ("a b", "a+b"), ("a+b", "a%2Bb"), ("a&b=c", "a%26b%3Dc"), ("*-._", "*-._"), ("~!'()", "%7E%21%27%28%29"),
        ("ä€", "%C3%A4%E2%82%AC"), ("\r\n", "%0D%0A"), ("%", "%25"), ("\0", "%00"), ("", ""),
    ])
    func `form items are escaped as the WHATWG specifies`(_ text: String, _ escaped: String) throws {
        #expect(try URLQuery([URLQueryItem(name: text, value: text)]).encoded(as: .form) == "\(escaped)=\(escaped)")
    }

    @Test func `form encoding escapes every character outside its allowed set`() {
        let kept = "*-._0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        for byte in UInt8(0)..<128 where byte != 0x20 {
            let text = String(Unicode.Scalar(byte))
            #expect(text.formURLEncoded == (kept.contains(text) ? text : String(format: "%%%02X", byte)))
        }
    }

    @Test func `a form keeps order, repetition and empty values of its items`() throws {
        let items = [
            URLQueryItem(name: "b", value: "1"), URLQueryItem(name: "a", value: nil),
            URLQueryItem(name: "b", value: ""),
        ]
        #expect(try RequestBody.urlEncoded(URLQuery(items)).data == Data("b=1&a=&b=".utf8))
        #expect(try RequestBody.urlEncoded(URLQuery()).data == Data())
    }

    @Test func `a form accepts numbers, dates, arrays, nested members and nil`() throws {
        let (text, date, missing) = ("a b", Date(timeIntervalSince1970: 7), String?.none)
        let body = RequestBody.urlEncoded(["query": text, "start": date, "step": 5, "to": missing])
        #expect(try body.data == Data("query=a+b&start=1970-01-01T00%3A00%3A07Z&step=5".utf8))
        let styled = URLQuery(
            ["tags": ["a,b", "c"], "on": true, "filter": ["state": "open"]], lists: .commas, nesting: .dots,
            booleans: .digits)
        #expect(try RequestBody.urlEncoded(styled).data == Data("tags=a%2Cb,c&on=1&filter.state=open".utf8))
    }

    @Test func `a form can be encoded from an object when the request is built`() throws {
        struct Grant: Encodable {
            var grantType = "password"
            var scopes = ["read", "write"]
            var device: String?
        }
        let body = RequestBody.urlEncoded(encoding: Grant())
        #expect(body.type == .formURLEncoded)
        #expect(try body.data == Data("grantType=password&scopes=read&scopes=write".utf8))
    }

    @Test func `a form encoding error contains the field name but not its value`() async {
        let error = await expectFailure(.bodyEncodingFailed) {
            try RequestBody.urlEncoded(["a": 1, "filter": ["ratio": Double.nan]]).data
        }
        #expect(error?.reason == "the form field filter[ratio] is not a finite number")
        let refused = await expectFailure(.bodyEncodingFailed) { try RequestBody.urlEncoded(encoding: "planted").data }
        #expect(refused?.reason == "a query or form needs an object with named members, not String")
    }

    @Test func `the error of a value that fails to encode is the underlying error`() async {
        struct Failing: Encodable {
            func encode(to encoder: any Encoder) throws { throw Fault.first }
        }
        let error = await expectFailure(.bodyEncodingFailed) {
            try RequestBody.urlEncoded(encoding: ["inner": Failing()]).data
        }
        #expect(error?.underlyingError as? Fault == .first)
    }
}

struct `An image as a body` {
    private static let webp = Data("RIFF".utf8) + [1, 2, 3, 4] + Data("WEBPVP8 ".utf8)

    @Test(arguments: [
        (Data([0x89]) + Data("PNG\r\n\u{1A}\nrest".utf8), ContentType.png), (Data([0xFF, 0xD8, 0xFF, 0xE0]), .jpeg),
        (Data("GIF87a".utf8), .gif), (Data("GIF89a...".utf8), .gif), (webp, .webp),
        // A slice does not begin at 0.
        (Data([0, 0xFF, 0xD8, 0xFF])[1...], .jpeg),
    ])
    func `the type of an image body is detected from its first bytes`(_ image: Data, _ type: ContentType) throws {
        #expect(RequestBody.image(image).type == type)
        #expect(try RequestBody.image(image).data == image)
    }

    @Test(arguments: [
        Data(), Data([0xFF, 0xD8]), Data("GIF88a".utf8), webp.prefix(13), Data("RIFF1234WAVEfmt ".utf8),
        Data("<svg/>".utf8), Data("\u{89}PNG".utf8),
    ])
    func `an image body of an unknown format is rejected`(_ image: Data) {
        #expect { try RequestBody.image(image).content() } throws: { ErrandError.Code.bodyEncodingFailed ~= $0 }
    }
}

struct `A file as a body` {
    @Test func `a file body is read when the request is built`() async throws {
        let file = try TemporaryFile(Data("early".utf8), pathExtension: "csv")
        let body = RequestBody.file(file.url)
        try Data("later on".utf8).write(to: file.url)
        let stream = try #require(try body.stream)
        #expect(stream.count == 8)
        #expect(try await stream.contents() == Data("later on".utf8))
        #expect(try await stream.contents() == Data("later on".utf8))
        #expect(body.type == .csv)
        #expect(RequestBody.file(file.url, type: .json).type == .json)
    }

    @Test func `a missing file fails the request with its path`() async throws {
        let request = Probe(RecordingTransport(), method: .put)
        request.body = .file(URL(fileURLWithPath: "/nowhere/planted.csv"))
        let error = try #require(
            await expectFailure(.bodyEncodingFailed) { try await request.sendRequest().value })
        #expect(error.underlyingError != nil)
        #expect(error.reason == #"`body`: the file "/nowhere/planted.csv" does not exist"#)
    }
}

extension RequestBody {
    /// The content, for an API without an encoder.
    func content() throws -> Content { try content(BodyEncoder(encoder: JSONEncoder())) }

    /// The data that the body puts into the request; `nil` for a stream.
    var data: Data? {
        get throws {
            if case .data(let data) = try content() { data } else { nil }
        }
    }

    /// The stream that the body gives to the transport; `nil` for data.
    var stream: BodyStream? {
        get throws {
            if case .stream(let stream) = try content() { stream } else { nil }
        }
    }
}
