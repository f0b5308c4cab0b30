import TestSupport
import Testing

@testable import Errand

struct `A multipart body` {
    private struct Film: Codable, Equatable, Sendable {
        var title: String
        var length: Int
    }

    /// The encoder that an API would have.
    private var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }

    @Test func `a multipart/related body declares its root type and has the fields of each part`() throws {
        let multipart = Multipart.related(
            [
                Multipart.Part(.json(Film(title: "Playtime", length: 124))),
                Multipart.Part(.data(Data("x".utf8), type: .png), headers: ["Content-ID": "<film>"]),
            ], boundary: "b")
        let expected = """
            --b\r
            Content-Type: application/json\r
            \r
            {"length":124,"title":"Playtime"}\r
            --b\r
            Content-Type: image/png\r
            Content-ID: <film>\r
            \r
            x\r
            --b--\r

            """
        let body = RequestBody.multipart(multipart)
        #expect(body.type?.description == "multipart/related; type=\"application/json\"; boundary=b")
        guard case .data(let data) = try body.content(BodyEncoder(encoder: encoder)) else {
            Issue.record("a body in memory is not data")
            return
        }
        #expect(String(decoding: data, as: UTF8.self) == expected)
    }

    @Test func `a multipart body can be mixed, of another type, and nested`() throws {
        let inner = Multipart.mixed([Multipart.Part(.text("a"))], boundary: "inner")
        let outer = Multipart("multipart/alternative", [Multipart.Part(.multipart(inner))], boundary: "outer")
        let body = RequestBody.multipart(outer)
        #expect(inner.type.description == "multipart/mixed; boundary=inner")
        #expect(body.type?.description == "multipart/alternative; boundary=outer")
        let response = DataResponse(
            statusCode: 200, headers: [.contentType: outer.type.description], data: try #require(try body.data))
        let part = try #require(try response.decodeParts().first)
        #expect(part.headers[.contentType] == "multipart/mixed; boundary=inner")
        let nested = DataResponse(statusCode: 200, headers: part.headers, data: part.data)
        #expect(try nested.decodeParts().map(\.data) == [Data("a".utf8)])
    }

    @Test func `a multipart body reads files while it is sent and knows its length`() async throws {
        let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
        let file = try TemporaryFile(bytes, pathExtension: "png")
        let multipart = Multipart.mixed([Multipart.Part(.file(file.url)), Multipart.Part(.text("end"))])
        let stream = try #require(try RequestBody.multipart(multipart).stream)
        let content = try await stream.contents()
        #expect(stream.count == content.count)
        let response = DataResponse(
            statusCode: 200, headers: [.contentType: multipart.type.description], data: content)
        #expect(try response.decodeParts().map(\.data) == [bytes, Data("end".utf8)])
        #expect(try response.decodeParts().map(\.headers.contentType) == [.png, "text/plain; charset=utf-8"])
    }

    @Test func `a Content-Type field of a part overrides the type of its body`() throws {
        let part = Multipart.Part(.text("a"), headers: ["content-type": "text/troff"])
        let data = try #require(try RequestBody.multipart(.mixed([part], boundary: "b")).data)
        #expect(data == Data("--b\r\ncontent-type: text/troff\r\n\r\na\r\n--b--\r\n".utf8))
        #expect(Multipart.related([part], boundary: "b").type["type"] == "text/troff")
    }

    @Test
    func `an invalid multipart body is rejected`() {
        let ended = AsyncStream<Data> { $0.finish() }
        let bad: [(Multipart, ErrandError.Code)] = [
            (.mixed([]), .bodyEncodingFailed),
            (Multipart("text/plain", [Multipart.Part(.text("a"))]), .bodyEncodingFailed),
            (.mixed([Multipart.Part(.text("a"))], boundary: "a\r\nb"), .bodyEncodingFailed),
            (.mixed([Multipart.Part(.text("a"), headers: ["X-A": "1\r\nX-B: 2"])]), .invalidHeaderField),
            (.mixed([Multipart.Part(.text("a"), headers: ["X A": "1"])]), .invalidHeaderField),
            (.mixed([Multipart.Part(.json(["a": Double.nan]))]), .bodyEncodingFailed),
            (.mixed([Multipart.Part(.stream(BodyStream(ended, trailers: { [:] })))]), .bodyEncodingFailed),
        ]
        for (multipart, code) in bad {
            #expect { try RequestBody.multipart(multipart).content() } throws: { code ~= $0 }
        }
    }

    @Test func `the parts of a form can be encoded values and have header fields`() throws {
        let form = MultipartForm(
            [
                .json("film", Film(title: "Playtime", length: 124)).with(headers: ["Content-ID": "<1>"]),
                .text("note", "a").with(headers: ["Content-Type": "text/markdown"]),
            ], boundary: "b")
        guard case .data(let data) = try RequestBody.multipart(form).content(BodyEncoder(encoder: encoder)) else {
            Issue.record("a form in memory is not data")
            return
        }
        let expected = """
            --b\r
            Content-Disposition: form-data; name="film"\r
            Content-Type: application/json\r
            Content-ID: <1>\r
            \r
            {"length":124,"title":"Playtime"}\r
            --b\r
            Content-Disposition: form-data; name="note"\r
            Content-Type: text/markdown\r
            \r
            a\r
            --b--\r

            """
        #expect(String(decoding: data, as: UTF8.self) == expected)
    }

    @Test func `a form whose part sets Content-Disposition or cannot be encoded is rejected`() {
        let disposition = MultipartForm([.text("a", "b").with(headers: ["Content-Disposition": "form-data"])])
        #expect { try RequestBody.multipart(disposition).content() } throws: {
            ErrandError.Code.invalidHeaderField ~= $0
        }
        let broken = MultipartForm([.text("a", "b").with(headers: ["X": "1\r\n\r\n2"])])
        #expect { try RequestBody.multipart(broken).content() } throws: { ErrandError.Code.invalidHeaderField ~= $0 }
        let value = MultipartForm([.json("a", ["b": Double.infinity])])
        #expect { try RequestBody.multipart(value).content() } throws: { ErrandError.Code.bodyEncodingFailed ~= $0 }
    }

    @Test func `the curl command of a form redacts values and fields unless disclosed`() throws {
        let file = try TemporaryFile(Data("f".utf8), pathExtension: "png")
        let request = APIBase()
        request.baseURL = URL(string: "https://films.example.com")
        request.method = .post
        request.body = .multipart([
            .json("film", ["a": "planted"]).with(headers: ["Content-ID": "<planted>"]),
            .text("note", "planted").with(headers: ["X": "1"]), .file("f", file.url),
        ])
        let built = try request.buildURLRequest()
        let revealed = built.curlCommand(body: true)
        #expect(
            revealed.contains(#"-F 'film="{\"a\":\"planted\"}";type=application/json;headers="Content-ID: <planted>"'"#)
        )
        #expect(revealed.contains(#"-F 'note="planted";headers="X: 1"'"#))
        #expect(!built.curlCommand().contains("planted"))
    }

    @Test func `the description of a multipart body does not contain its data`() {
        let multipart = Multipart.mixed([Multipart.Part(.text("planted"), headers: ["X-Key": "planted"])])
        let part = BodyPart(headers: ["X-Key": "planted"], data: Data("planted".utf8))
        var dumped = ""
        dump(multipart, to: &dumped)
        dump(part, to: &dumped)
        for text in [dumped, "\(multipart)", String(reflecting: multipart), "\(part)", String(reflecting: part)] {
            #expect(!text.contains("planted"))
        }
        #expect("\(multipart)" == "multipart/mixed (1 parts)")
    }
}
