import Errand
import ErrandMockServer
import ErrandTesting
import TestSupport
import Testing

private struct Note: Codable, Equatable, Sendable {
    var text: String
}

private class NotesAPI: APIBase {
    override init() {
        super.init()
        baseURL = URL(string: "https://notes.example.com")
    }
}

private final class AddNoteRequest: NotesAPI, Request {
    init(_ note: Note) {
        super.init()
        method = .post
        path = "/notes"
        body = .json(note)
    }

    func start() -> Pipeline<Note, any Error> {
        sendRequest().decode(Note.self)
    }
}

private final class ComputedRequest: NotesAPI {
    var note = Note(text: "early")

    override var body: RequestBody {
        get { .json(note) }
        set {}
    }
}

private struct Table: Sendable {
    func csv() throws -> Data { Data("a,b".utf8) }
}

private struct Filter: Encodable, Sendable {
    var state = "open"
    var tags = ["sea", "sun"]
}

/// One request for each kind of body in the guide.
private final class KindsRequest: NotesAPI {
    var types: [String?] = []

    override var body: RequestBody {
        didSet { types.append(body.type?.essence) }
    }

    func setForms(_ filter: Filter, text: String, date: Date) {
        body = .urlEncoded(["query": text, "start": date, "step": 5, "tag": ["one", "two"]])

        query = URLQuery(encoding: filter, lists: .brackets)
        body = .urlEncoded(encoding: filter)
        body = .urlEncoded(URLQuery(encoding: filter, lists: .indexed, nesting: .dots, dates: .secondsSince1970))
    }

    func setEncoded(_ note: Note) {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        body = .json(note, encoder: encoder)
    }

    func setAll(_ note: Note, image: Data, archive: URL, photo: URL, lines: AsyncStream<Data>, table: Table) throws {
        body = .text("grüße")
        body = .data(image, type: .png)
        body = .urlEncoded(["grant_type": "client_credentials", "scope": "read write"])
        body = .image(image)
        body = .file(archive)
        body = .stream(BodyStream(lines), type: .ndjson)
        body = .propertyList(note)
        body = .mergePatch(["title": "Malafrena", "draft": nil])
        body = .jsonPatch([.test("/version", 7), .replace("/title", "Malafrena")])
        body = .encoded(type: .csv) { try table.csv() }

        body = .multipart([
            .text("title", "Summer"),
            .file("photo", photo),
            .json("tags", ["sea"]),
        ])

        body = .multipart(
            .related([
                Multipart.Part(.json(note)),
                Multipart.Part(.file(photo), headers: ["Content-ID": "<photo>"]),
            ]))

        headers.byteRanges = [.bytes(0...99), .last(100)]

        body = .json(note).gzipped()

        headers[.accept] = ContentType.accept(.json, .csv.with(quality: 0.5))
        headers["X-Tenant"] = "blue"
        headers[.ifNoneMatch] = "\"7\""
    }
}

struct `The guide to bodies` {
    @Test func `the guide: bodies are tested without a network`() async throws {
        let request = AddNoteRequest(Note(text: "Milk"))
        let built = try request.buildURLRequest()
        #expect(built.httpBody == Data(#"{"text":"Milk"}"#.utf8))
        #expect(built.value(forHTTPHeaderField: "Content-Type") == "application/json")

        request.dataTaskPipeline = request.stubJSONResponse(statusCode: 201, data: Data(#"{"text":"Milk"}"#.utf8))
        #expect(try await request.start().value == Note(text: "Milk"))

        let form = MultipartForm([.text("title", "Summer")], boundary: "boundary")
        #expect(RequestBody.multipart(form).type == "multipart/form-data; boundary=boundary")
    }

    @Test func `the guide: the parts of a multipart response are read`() async throws {
        let text = "--b\r\nContent-Range: bytes 0-1/9\r\n\r\n01\r\n--b\r\nContent-Range: bytes 8-8/9\r\n\r\n8\r\n--b--"
        let headers: HeaderFields = ["Content-Type": "multipart/byteranges; boundary=b"]
        let request = NotesAPI()
        request.dataTaskPipeline = request.stubResponse(statusCode: 206, data: Data(text.utf8), headers: headers)
        var ranges: [(ContentRange?, Data)] = []
        var count = 0
        for part in try await request.sendRequest().decodeParts().value {
            ranges.append((part.headers.contentRange, part.data))
        }
        request.dataTaskPipeline = request.stubStream(headers: headers, [text])
        for try await part in request.sendStream().parts() {
            count += part.data.count
        }
        let decoder = JSONDecoder()
        var note: Note?
        var photo = Data()
        let pieces = ["--b\r\nContent-Type: application/json\r\n\r\n{\"text\":\"Sea\"}\r\n--b\r\n\r\nGI", "F\r\n--b--"]
        request.dataTaskPipeline = request.stubStream(headers: headers, pieces)
        for try await part in request.sendStream().streamedParts() {
            if part.headers.contentType == .json {
                note = try decoder.decode(Note.self, from: await part.collected().data)
            } else {
                for try await piece in part.body { photo.append(piece) }
            }
        }
        #expect(note == Note(text: "Sea"))
        #expect(photo == Data("GIF".utf8))
        #expect(ranges.map(\.0?.bytes) == [0...1, 8...8])
        #expect(ranges.map(\.1) == [Data("01".utf8), Data("8".utf8)])
        #expect(count == 3)
    }

    @Test func `the guide: a computed body is encoded when the request is built`() throws {
        let request = ComputedRequest()
        request.method = .put
        request.note.text = "late"
        #expect(try request.buildURLRequest().httpBody == Data(#"{"text":"late"}"#.utf8))
    }

    @Test func `the guide: each kind of body has its content type`() throws {
        let request = KindsRequest()
        let file = URL(fileURLWithPath: "/archive.zip")
        try request.setAll(
            Note(text: "a"), image: Data("GIF89a".utf8), archive: file, photo: file, lines: AsyncStream { nil },
            table: Table())
        #expect(
            request.types == [
                "text/plain", "image/png", "application/x-www-form-urlencoded", "image/gif", "application/zip",
                "application/x-ndjson", "application/x-plist", "application/merge-patch+json",
                "application/json-patch+json", "text/csv", "multipart/form-data", "multipart/related",
                "application/json",
            ])
        #expect(request.headers["Accept"] == "application/json, text/csv; q=0.5")
        #expect(request.headers["If-None-Match"] == "\"7\"")
    }

    @Test func `the guide: forms and queries are encoded from values`() throws {
        let request = KindsRequest()
        request.method = .post
        request.setForms(Filter(), text: "a b", date: Date(timeIntervalSince1970: 0))
        let built = try request.buildURLRequest()
        #expect(built.httpBody == Data("state=open&tags%5B0%5D=sea&tags%5B1%5D=sun".utf8))
        #expect(built.url?.query == "state=open&tags%5B%5D=sea&tags%5B%5D=sun")
        request.setEncoded(Note(text: "a"))
        #expect(try request.buildURLRequest().httpBody == Data(#"{"text":"a"}"#.utf8))
    }

    @Test func `the guide: values are decoded from responses`() async throws {
        let request = NotesAPI()
        request.dataTaskPipeline = request.stubResponse(statusCode: 204)
        do {
            let note = try await request.sendRequest().decode(Note?.self).value
            #expect(note == nil)
        }
        request.dataTaskPipeline = request.stubJSONResponse(data: Data(#"{"text":"a"}"#.utf8), headers: ["ETag": "7"])
        let decoded = try await request.sendRequest().decodeWithResponse(Note.self).value
        let version = decoded.response.headers[.etag]
        #expect(decoded.value == Note(text: "a"))
        #expect(version == "7")
        request.dataTaskPipeline = request.stubResponse(
            statusCode: 200, data: try PropertyListEncoder().encode(Note(text: "b")))
        let settings = try await request.sendRequest().decode(Note.self, decoder: PropertyListDecoder()).value
        #expect(settings == Note(text: "b"))
    }

    @Test func `the guide: text is decoded with the charset of the response`() {
        let response = DataResponse(
            statusCode: 200, headers: ["Content-Type": "text/plain; charset=ISO-8859-1"], data: Data([0xFC]))
        var text: String?
        let type = response.headers.contentType
        if type?.includes(.plainText) == true {
            text = String(data: response.data, encoding: type?.charset ?? .utf8)
        }
        #expect(text == "ü")
    }

    @Test func `the guide: the error of a failing body sequence is the underlying error`() async throws {
        let server = try MockServer()
        let request = NotesAPI()
        request.baseURL = server.url
        request.timeoutInterval = .hangGuard
        request.method = .post
        request.body = .stream(BodyStream(AsyncThrowingStream<Data, any Error> { throw Fault.first }))
        let error = await expectFailure(.transportFailed) { try await request.sendRequest().value }
        #expect(error?.underlyingError as? Fault == .first)
    }
}
