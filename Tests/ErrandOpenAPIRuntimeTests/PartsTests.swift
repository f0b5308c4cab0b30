import ErrandMockServer
import ErrandOpenAPIRuntime
import ErrandTesting
import TestSupport
import Testing

/// The parts of multipart bodies in both directions, with their header fields.
@Suite(.hangGuard) struct PartsTests {
    typealias API = StylesAPI

    private let film = Upload.data(Data("x".utf8), fileName: "film.mp4", type: "video/mp4")

    /// Sends a request to a server, and returns the parts of the form that the server received.
    private func sent(_ request: API.SendParts) async throws -> [BodyPart] {
        let server = try MockServer()
        server.on(.post, "/parts") { _ in .status(204) }
        try await request.schedule(with: .styles(API.Server(BaseURL(server.url)))).value
        let received = try await server.takeRequest()
        let type = received.headers[.contentType] ?? ""
        return try DataResponse(statusCode: 200, headers: ["Content-Type": type], data: received.body).decodeParts()
    }

    @Test func `the guide: a form has parts with header fields`() async throws {
        let file = try TemporaryFile(Data("x".utf8), pathExtension: "mp4")
        let (film, captions) = (file.url, "WEBVTT")
        let request = API.SendParts(
            film: .file(film), filmXFrameRate: 23.976, tracks: [captions], tracksXKind: .captions)
        let parts = try await sent(request)
        #expect(parts.map { $0.headers.contentDisposition?["name"] } == ["film", "tracks"])
    }

    @Test func `the guide: another media type of a response is read without a generated function`() async throws {
        let server = try MockServer()
        server.on(.get, "/two-types") { request in
            request.headers[.accept] == "text/csv" ? .text("R,G,B") : .json("[]")
        }
        let service = APIService.styles(API.Server(BaseURL(server.url)))
        let request = API.TwoTypes()
        request.headers[.accept] = "text/csv"
        let table = try await request.sendRequest(with: service).decodeText().value
        #expect(table == "R,G,B")
        #expect(try await API.TwoTypes().schedule(with: service).value == [])
    }

    @Test func `the header fields of parts are sent with the types of the document`() async throws {
        let parts = try await sent(
            API.SendParts(
                film: film, filmXFrameRate: 23.976, filmXLanguages: ["en", "it"], filmXColor: Color(r: 1),
                tracks: ["WEBVTT", "a"], tracksXKind: .captions, color: Color(g: 2)))
        #expect(parts.map { $0.headers.contentDisposition?["name"] } == ["film", "tracks", "tracks", "color"])
        #expect(parts.map { $0.headers["X-Frame-Rate"] } == ["23.976", nil, nil, nil])
        #expect(parts.map { $0.headers["X-Languages"] } == ["en,it", nil, nil, nil])
        #expect(parts.map { $0.headers["X-Color"] } == [#"{"R":1}"#, nil, nil, nil])
        #expect(parts.map { $0.headers["X-Kind"] } == [nil, "captions", "captions", nil])
        let types = ["video/mp4", "text/vtt", "text/vtt", "application/vnd.color+json"]
        #expect(parts.map { $0.headers[.contentType] } == types)
        #expect(parts.map { String(decoding: $0.data, as: UTF8.self) } == ["x", "WEBVTT", "a", #"{"G":2}"#])
    }

    @Test func `a header parameter for cookies and cookies are sent together, in either order`() {
        var headers: HeaderFields = [:]
        headers.append(cookie: "s", encoding: "1")
        headers.append("cookie", encoding: "a=b")
        headers.append(cookie: "t", encoding: 2)
        headers.append(cookie: "j", json: ["k"])
        headers.append(cookie: "n", json: nil as Int?)
        #expect(headers.map(\.value) == ["s=1; a=b; t=2; j=%5B%22k%22%5D"])
    }

    @Test(arguments: [
        ("application/jsonl", "[1]\n[2]\n"), ("application/json-seq", "\u{1E}[1]\n\u{1E}[2]\n"),
    ])
    func `each element of a body is a line of JSON`(_ type: ContentType, _ text: String) async throws {
        let server = try MockServer()
        server.on(.post, "/parts") { _ in .status(204) }
        let request = API.SendParts(film: film, filmXFrameRate: 25)
        request.body = .jsonTexts([[1], [2]], type: type)
        try await request.schedule(with: .styles(API.Server(BaseURL(server.url)))).value
        let received = try await server.takeRequest()
        #expect(received.headers.contentType == type)
        #expect(received.body == Data(text.utf8))
    }

    private struct Encoded: Encodable {
        let value: JSONValue
        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }

    @Test(arguments: [
        ("\"a\"", ["a"]), ("1", ["1"]), ("true", ["true"]), (#"["a", 2]"#, ["a", "2"]), ("[]", []),
        (#"{"n": 1}"#, [#"{"n":1}"#]), ("{}", ["{}"]), (#"[{"n": 1}, "a"]"#, [#"{"n":1}"#, "a"]),
    ])
    func `a part of several types is a text, or the JSON of an object`(_ json: String, _ texts: [String]) async throws {
        let request = API.SendParts(film: film, filmXFrameRate: 25)
        var form = MultipartForm()
        form.append("film", film)
        form.append("a", encoding: Encoded(value: try FastJSONDecoder().decode(JSONValue.self, from: Data(json.utf8))))
        request.body = .multipart(form)
        let parts = try await sent(request).dropFirst()
        #expect(parts.map { String(decoding: $0.data, as: UTF8.self) } == texts)
        #expect(parts.map { $0.headers[.contentType] == "application/json" } == texts.map { $0.hasPrefix("{") })
    }

    @Test(
        arguments: [
            (Upload.file(URL(filePath: "/tmp/a.png")), ["image/jpeg", "image/png"], "image/png"),
            (.file(URL(filePath: "/tmp/a.png")), ["image/jpeg", "image/*"], "image/png"),
            (.file(URL(filePath: "/tmp/a.png")), ["text/*", "text/csv"], "text/csv"),
            (.file(URL(filePath: "/tmp/a.png")), ["text/*", "audio/*"], "image/png"),
            (.file(URL(filePath: "/tmp/a.png"), type: "text/plain"), ["image/jpeg", "image/png"], "text/plain"),
            (.data(Data()), ["image/jpeg", "image/png"], "image/jpeg"),
            (.data(Data()), ["image/*", "application/octet-stream"], "application/octet-stream"),
            (.data(Data(), type: "image/png"), ["image/jpeg", "image/png"], "image/png"),
        ] as [(Upload, [ContentType], String)])
    func `an upload has its own media type, or one of those of the part`(
        _ upload: Upload, _ types: [ContentType], _ expected: String
    ) throws {
        var form = MultipartForm()
        form.append("a", [upload], types: types)
        #expect(form.parts.first?.type?.description == expected)
    }

    @Test func `optional header fields of parts are left out`() async throws {
        let parts = try await sent(API.SendParts(film: film, filmXFrameRate: 25))
        #expect(parts.map { $0.headers.map(\.name) } == [["Content-Disposition", "Content-Type", "X-Frame-Rate"]])
    }

    @Test func `a header field of a part with a line break fails the request`() async throws {
        let request = API.SendParts(film: film, filmXFrameRate: 25, filmXLanguages: ["en\r\nX-Key: 1"])
        await expectFailure(.invalidHeaderField) { try await sent(request) }
    }

    @Test func `the guide: the parts of a response are read as they arrive`() async throws {
        let text = """
            --b\r\nContent-Type: application/json\r\n\r\n{"R": 7}\r\n--b\r\nContent-Type: video/mp4\r\n\r\nfilm\r\n--b--
            """
        let server = try MockServer()
        server.on(.get, "/parts") { _ in
            .chunked([Data(text.utf8)]).with(header: "Content-Type", "multipart/mixed; boundary=b")
        }
        let service = APIService.styles(API.Server(BaseURL(server.url)))
        var color: Color?
        var film = Data()
        for try await part in API.ReceiveParts().startStream(with: service) {
            if part.headers.contentType == .json {
                color = try FastJSONDecoder.openAPI.decode(Color.self, from: await part.collected().data)
            } else {
                for try await piece in part.body { film.append(piece) }
            }
        }
        #expect(color == Color(r: 7))
        #expect(film == Data("film".utf8))
        #expect(try await server.takeRequest().headers[.accept] == "multipart/mixed")
    }
}
