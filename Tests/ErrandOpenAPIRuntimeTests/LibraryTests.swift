import ErrandMockServer
import ErrandOpenAPIRuntime
import ErrandTesting
import Synchronization
import Testing

/// What the generated client of `library.yaml` sends and reads.
@Suite struct LibraryTests {
    private let book = Data(
        #"{"id": 7, "title": "Malafrena", "status": "lost", "added_at": "2026-11-26T03:40:42.5+01:00"}"#.utf8)

    @Test func `parameters are sent in their styles`() throws {
        let request = LibraryAPI.ListBooks(
            status: [.available, .onLoan], author: ["Le Guin", "Lem"],
            filter: LibraryAPI.filter(words: ["a", "b"], year: 1979),
            since: CalendarDate(year: 1979, month: 10, day: 1),
            limit: 5, xTrace: ["1", "2"], session: "s")
        let sent = try request.buildURLRequest()
        #expect(
            sent.url?.absoluteString
                == "https://library.example.com/v1/books?status=available,on-loan&author=Le%20Guin&author=Lem"
                + "&filter%5Bwords%5D%5B%5D=a&filter%5Bwords%5D%5B%5D=b&filter%5Byear%5D=1979&since=1979-10-01&limit=5")
        #expect(sent.value(forHTTPHeaderField: "X-Trace") == "1,2")
        #expect(sent.value(forHTTPHeaderField: "Cookie") == "session=s")
        #expect(sent.value(forHTTPHeaderField: "Accept") == "application/json")
    }

    @Test func `parameters of the path have styles too`() throws {
        let sent = try LibraryAPI.Notes(range: [1, 2], kinds: ["a b", "c/d"]).buildURLRequest()
        #expect(sent.url?.absoluteString == "https://library.example.com/v1/notes/;range=1;range=2/a%20b,c%2Fd")
    }

    @Test func `an operation's own server is kept unless a service replaces it`() throws {
        #expect(try LibraryAPI.GetCover(id: 1).buildURLRequest().url?.host() == "covers.example.com")
        #expect(LibraryAPI.Server.regional(region: .us).baseURL.url?.host() == "us.example.com")
    }

    @Test func `a form is sent with its parts`() async throws {
        let request = LibraryAPI.UploadCover(
            id: 7, image: .data(Data([1]), fileName: "a.png"), tags: ["x", "y"], origin: .init(camera: "box"))
        let sent = try request.buildURLRequest()
        let body = String(decoding: sent.httpBody ?? Data(), as: UTF8.self)
        #expect(sent.httpMethod == "PUT")
        #expect(body.contains("name=\"image\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n"))
        #expect(body.components(separatedBy: "name=\"tags\"").count == 3)
        #expect(body.contains("{\"camera\":\"box\"}"))
        #expect(!body.contains("caption"))
    }

    @Test func `a URL-encoded form has brackets for arrays`() throws {
        let sent = try LibraryAPI.Search(body: LibraryAPI.filter(words: ["a", "b"], year: nil)).buildURLRequest()
        #expect(String(decoding: sent.httpBody ?? Data(), as: UTF8.self) == "words%5B%5D=a&words%5B%5D=b")
    }

    @Test func `null, a value and nothing are three things to send`() throws {
        func body(_ changes: BookChanges) throws -> String {
            let sent = try LibraryAPI.ChangeBook(id: 7, body: changes).buildURLRequest()
            #expect(sent.value(forHTTPHeaderField: "Content-Type") == "application/merge-patch+json")
            return String(decoding: sent.httpBody ?? Data(), as: UTF8.self)
        }
        #expect(try body(BookChanges()) == "{}")
        #expect(try body(BookChanges(subtitle: .null)) == #"{"subtitle":null}"#)
        #expect(try body(BookChanges(subtitle: "A Novel")) == #"{"subtitle":"A Novel"}"#)
    }

    @Test func `absent and null are distinguished when they are read, too`() throws {
        let decoder = FastJSONDecoder.openAPI
        #expect(try decoder.decode(BookChanges.self, from: Data("{}".utf8)).subtitle == nil)
        #expect(try decoder.decode(BookChanges.self, from: Data(#"{"subtitle": null}"#.utf8)).subtitle == .null)
        #expect(try decoder.decode(BookChanges.self, from: Data(#"{"subtitle": "x"}"#.utf8)).subtitle == "x")
    }

    @Test func `a response is decoded, with an unknown value of an enumeration and a fraction of a second`()
        async throws
    {
        let request = LibraryAPI.GetBook(id: 7)
        request.dataTaskPipeline = request.stubJSONResponse(statusCode: 200, data: book)
        let value = try await request.start().value
        #expect(value.status == BookStatus(rawValue: "lost"))
        #expect(value.addedAt.timeIntervalSince1970 == 1_795_660_842.5)
    }

    @Test func `a response without a body is no value`() async throws {
        let request = LibraryAPI.AddBook(body: NewBook(title: "x"))
        request.dataTaskPipeline = request.stubJSONResponse(statusCode: 202, data: Data())
        #expect(try await request.start().value == nil)
        request.dataTaskPipeline = request.stubJSONResponse(statusCode: 201, data: book)
        #expect(try await request.start().value?.id == 7)
    }

    @Test func `an error document is decoded as the operation's own`() async throws {
        let request = LibraryAPI.ChangeBook(id: 7, body: BookChanges())
        request.dataTaskPipeline = request.stubJSONResponse(statusCode: 409, data: Data(#"{"other": 8}"#.utf8))
        let error = await #expect(throws: ErrandError.self) { try await request.start().value }
        #expect(error?.payload(as: Conflict.self) == Conflict(other: 8))
        let other = LibraryAPI.GetBook(id: 7)
        other.dataTaskPipeline = other.stubJSONResponse(statusCode: 404, data: Data(#"{"title": "gone"}"#.utf8))
        let problem = await #expect(throws: ErrandError.self) { try await other.start().value }
        #expect(problem?.payload(as: Problem.self) == Problem(title: "gone"))
    }

    @Test func `the status decides the type of an error document`() async throws {
        func error(_ status: Int) async -> ErrandError? {
            let request = LibraryAPI.AddLoan(borrower: .club(Club(name: "c")))
            request.dataTaskPipeline = request.stubJSONResponse(
                statusCode: status, data: Data(#"{"title": "t"}"#.utf8))
            return await #expect(throws: ErrandError.self) { try await request.start().value }
        }
        let missing = await error(404)
        #expect(missing?.payload(as: LibraryAPI.AddLoan.ErrorDocument.self) == .notFound(Problem(title: "t")))
        #expect(missing?.payload(as: Problem.self) == Problem(title: "t"))
        let conflict = await error(409)
        #expect(conflict?.payload(as: Refusal.self) == Refusal(title: "t"))
        #expect(conflict?.payload(as: Problem.self) == nil)
        let other = await error(500)
        #expect(other?.payload(as: LibraryAPI.AddLoan.ErrorDocument.self) == .other(["title": "t"]))
    }

    @Test func `a date has its fraction in a query and in a part`() throws {
        let date = Date(timeIntervalSince1970: 1.5)
        let sent = try LibraryAPI.AddLoan(borrower: .club(Club(name: "c")), at: date, until: date).buildURLRequest()
        #expect(sent.url?.query()?.removingPercentEncoding == "at=1970-01-01T00:00:01.500Z")
        let body = String(decoding: sent.httpBody ?? Data(), as: UTF8.self)
        #expect(body.contains("\r\n\r\n1970-01-01T00:00:01.500Z\r\n"))
        let type = sent.value(forHTTPHeaderField: "Content-Type") ?? ""
        #expect(type.hasPrefix("multipart/mixed; boundary="))
    }

    @Test func `each start asks for the media type that it reads`() throws {
        let request = LibraryAPI.AddLoan(borrower: .club(Club(name: "c")))
        _ = request.startStream()
        #expect(request.headers["Accept"] == "application/x-ndjson")
        request.dataTaskPipeline = request.stubJSONResponse(statusCode: 200, data: Data("{}".utf8))
        _ = request.start()
        #expect(request.headers["Accept"] == "application/json")
    }

    private static let borrowers: [(Borrower, JSONValue)] = [
        (.person(Person(name: "p")), ["type": "person", "name": "p"]),
        (.club(Club(name: "c")), ["type": "club", "name": "c"]),
    ]

    @Test(arguments: borrowers)
    func `the value of a discriminator is sent, whether the branch declares it or not`(
        _ borrower: Borrower, _ document: JSONValue
    ) throws {
        #expect(try JSONValue(encoding: borrower, encoder: .openAPI) == document)
        let data = try FastJSONEncoder().encode(document)
        #expect(try FastJSONDecoder.openAPI.decode(Borrower.self, from: data) == borrower)
    }

    private static let contacts: [(JSONValue, Contact)] = [
        (["id": 1, "phone": "1"], Contact(phone: Phone(id: 1, phone: "1"))),
        (["id": 1, "mail": "m"], Contact(mail: Mail(id: 1, mail: "m"))),
        (
            ["id": 1, "phone": "1", "mail": "m"],
            Contact(phone: Phone(id: 1, phone: "1"), mail: Mail(id: 1, mail: "m"))
        ),
    ]

    @Test(arguments: contacts)
    func `a value of anyOf has each branch that it fits`(_ document: JSONValue, _ contact: Contact) throws {
        let data = try FastJSONEncoder().encode(document)
        #expect(try FastJSONDecoder.openAPI.decode(Contact.self, from: data) == contact)
        #expect(try JSONValue(encoding: contact, encoder: .openAPI) == document)
    }

    @Test func `a value that fits no branch of anyOf fails with the error of the first one`() {
        let error = #expect(throws: DecodingError.self) {
            try FastJSONDecoder.openAPI.decode(Contact.self, from: Data(#"{"id": 1}"#.utf8))
        }
        guard case .keyNotFound(let key, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(key.stringValue == "phone")
    }

    @Test(arguments: [
        (#"{"kind": "loan", "days": 3}"#, Item.loan(Loan(days: 3))), (#"{"kind": "sale"}"#, .sale(Sale())),
        (#"{"name": "Ursula"}"#, .person(Person(name: "Ursula"))), (#""text""#, .string("text")),
        ("[1, 2]", .integers([1, 2])),
        ("[]", .integers([])), ("true", .other(true)), (#"{"kind": "gift"}"#, .other(["kind": "gift"])),
    ])
    func `the branch of a union is found, and encodes to the same document`(_ text: String, _ item: Item) throws {
        let data = Data(text.utf8)
        let decoded = try FastJSONDecoder.openAPI.decode(Item.self, from: data)
        #expect(decoded == item)
        #expect(
            try JSONValue(encoding: decoded, encoder: .openAPI) == FastJSONDecoder().decode(JSONValue.self, from: data))
    }

    @Test func `a branch that does not fit fails with its own error`() {
        let error = #expect(throws: DecodingError.self) {
            try FastJSONDecoder.openAPI.decode(Item.self, from: Data(#"{"kind": "loan", "days": "x"}"#.utf8))
        }
        guard case .typeMismatch(_, let context)? = error else {
            Issue.record("another error")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["days"])
    }

    @Test func `a struct that contains itself keeps members that are not among its properties`() throws {
        let text = #"{"name": "a", "rows": 3, "parent": {"name": "b"}}"#
        let shelf = try FastJSONDecoder.openAPI.decode(Shelf.self, from: Data(text.utf8))
        #expect(shelf == Shelf(name: "a", parent: Shelf(name: "b"), additional: ["rows": 3]))
        let written = try JSONValue(encoding: shelf, encoder: .openAPI)
        #expect(written == ["name": "a", "rows": 3, "parent": ["name": "b"]])
        let person = Person(name: "a", boss: Person(name: "b"))
        #expect(try JSONValue(encoding: person, encoder: .openAPI) == ["name": "a", "boss": ["name": "b"]])
        #expect(
            try FastJSONDecoder.openAPI.decode(Person.self, from: Data(#"{"name": "a", "boss": {"name": "b"}}"#.utf8))
                == person)
    }

    @Test func `a stream of events is decoded up to the end`() async throws {
        let text = "data: {\"kind\": \"loan\"}\n\ndata: \"x\"\n\ndata: [DONE]\n\ndata: unread\n\n"
        let events = AsyncStream { continuation in
            continuation.yield(Data(text.utf8))
            continuation.finish()
        }
        var items: [Item] = []
        for try await item in events.eventValues(of: Item.self) { items.append(item) }
        #expect(items == [.loan(Loan()), .string("x")])
    }
}

extension LibraryAPI {
    fileprivate static func filter(words: [String], year: Int?) -> Filter { Filter(words: words, year: year) }
}

/// The credentials of the service, and the requests that need them.
@Suite struct SecurityTests {
    /// Keeps the fields of the request that is sent, in place of a server.
    private final class Recorder: Interceptor {
        private let fields = Mutex<[String: String]>([:])

        var sent: [String: String] { fields.withLock { $0 } }

        func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
            fields.withLock { $0 = request.urlRequest.allHTTPHeaderFields ?? [:] }
            return DataResponse(statusCode: 202, headers: [:], data: Data())
        }
    }

    /// The credentials that a service adds to a request.
    private func credentials(
        of service: APIService<any Error>, for start: (APIService<any Error>) async throws -> Void
    ) async throws -> [String] {
        let recorder = Recorder()
        var service = service
        service.settings.interceptors = .adding(service.settings.interceptors.elements + [recorder])
        try await start(service)
        return ["Authorization", "X-Key", "Cookie"].compactMap { name in recorder.sent[name].map { "\(name): \($0)" } }
    }

    private func add(_ service: APIService<any Error>) async throws {
        _ = try await LibraryAPI.AddBook(body: NewBook(title: "x")).schedule(with: service).value
    }

    @Test func `the first alternative with all credentials is used`() async throws {
        let token = BearerAuthentication(token: "t")
        let all = try await credentials(of: .library(.staging, key: "k", token: token, user: "u"), for: add)
        #expect(all == ["X-Key: k", "Cookie: user=u"])
        let other = try await credentials(of: .library(.staging, key: "k", token: token), for: add)
        #expect(other == ["Authorization: Bearer t"])
        let none = try await credentials(of: .library(.staging, key: "k"), for: add)
        #expect(none == [])
    }

    @Test func `a request that needs no credentials gets none`() async throws {
        let service = APIService.library(.staging, token: BearerAuthentication(token: "t"))
        let sent = try await credentials(of: service) { service in
            _ = try? await LibraryAPI.ListBooks().schedule(with: service).value
        }
        #expect(sent == [])
    }
}
