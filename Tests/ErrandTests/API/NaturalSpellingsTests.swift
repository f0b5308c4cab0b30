import Errand
import ErrandTesting
import TestSupport
import Testing

/// A global variable with the name of a setting in other libraries.
private let queryItems = 4

@Suite(.hangGuard) struct `Natural spellings` {
    private struct Shelf: Decodable, Sendable, Equatable { var id: Int }
    private struct LibraryError: Error { var code: ErrandError.Code? }

    private class LibraryAPI: APIBase {
        override init() {
            super.init()
            baseURL = URL(string: "https://library.example.com")
            acceptedStatusCodes = .successful
            headers["X-Class"] = "library"
            dataTaskPipeline = stubJSONResponse(data: Data(#"{"id": 7}"#.utf8))
        }
    }

    private final class ShelfRequest: LibraryAPI, Request {
        func start() -> Pipeline<Shelf, any Error> { sendRequest().decode(Shelf.self) }
    }

    private final class RenameShelf: LibraryAPI, Request {
        func start() -> Pipeline<Void, any Error> { sendRequest().decodeVoid() }
    }

    /// A leaf whose own properties have names of settings in other libraries.
    private final class Own: LibraryAPI, Request {
        var baseUrl = "a", httpMethod = "b", parameters = 2, params = 3, header = 4
        var httpBody = 8, timeout = 9
        var queryItems = 14
        let description = "a shelf"
        func start() -> Pipeline<Shelf, any Error> { sendRequest().decode(Shelf.self) }
    }

    private let staging = APIService(
        baseURL: "staging.example.com", headers: ["X-Service": "staging"], acceptedStatusCodes: .all,
        mapError: { LibraryError(code: ($0 as? ErrandError)?.code) })
    private let endpoint = Endpoint.get("/shelves/7", as: Shelf.self)

    @Test func `an endpoint of a class can be sent with a service, and started as a pipeline`() async throws {
        let api = LibraryAPI()
        #expect(try await api.send(endpoint, with: staging).value == Shelf(id: 7))
        #expect(api.request?.url?.absoluteString == "https://staging.example.com/shelves/7")
        #expect(api.request?.value(forHTTPHeaderField: "X-Class") == "library")

        let (started, own) = (api.start(endpoint, with: staging), api.start(endpoint))
        #expect(try await started.value == Shelf(id: 7))
        #expect(try await started.value == Shelf(id: 7))
        #expect(try await own.value == Shelf(id: 7))
        #expect(api.request?.url?.host() == "library.example.com")

        api.dataTaskPipeline = api.stubResponse(statusCode: 404)
        for pipeline in [api.start(endpoint, with: staging), api.send(endpoint, with: staging).pipeline] {
            let error = await #expect(throws: LibraryError.self) { try await pipeline.value }
            #expect(error?.code == .unacceptableStatusCode)
        }
    }

    @Test func `a service sends the request of a class`() async throws {
        #expect(try await staging.send(ShelfRequest()).value == Shelf(id: 7))
        let leaf = ShelfRequest()
        #expect(try await staging.value(of: leaf) == Shelf(id: 7))
        #expect(leaf.request?.value(forHTTPHeaderField: "X-Service") == "staging")
    }

    @Test func `a service sends requests of different types`() async throws {
        let leaves: [any Request] = [ShelfRequest(), RenameShelf()]
        var shelves: [Shelf] = []
        for leaf in leaves {
            if let shelf = try await staging.value(of: leaf) as? Shelf { shelves.append(shelf) }
            #expect(leaf.request?.url?.host() == "staging.example.com")
        }
        #expect(shelves == [Shelf(id: 7)])

        let values: [any EndpointRequest] = [endpoint, Endpoint.delete("/shelves/7")]
        for value in values {
            let error = await #expect(throws: LibraryError.self) {
                try await APIService(retryPolicy: .never, mapError: { LibraryError(code: ($0 as? ErrandError)?.code) })
                    .value(of: value)
            }
            #expect(error?.code == .missingBaseURL)
        }
    }

    @Test func `a leaf can have properties with the names of settings in other libraries`() async throws {
        let own = Own()
        #expect(own.parameters + own.params + own.header == 9)
        #expect(own.baseUrl + own.httpMethod == "ab")
        #expect(own.queryItems + queryItems == 18)
        #expect(own.description == "a shelf")
        #expect("\(own)" == "Own: GET https://library.example.com")
        #expect(try await own.start().value == Shelf(id: 7))
    }

    @Test func `a text body can have a media type`() throws {
        let request = LibraryAPI()
        request.method = .post
        request.body = .text("id,title")
        #expect(try request.buildURLRequest().value(forHTTPHeaderField: "Content-Type") == "text/plain; charset=utf-8")
        request.body = .text("id,title", type: .csv)
        #expect(try request.buildURLRequest().value(forHTTPHeaderField: "Content-Type") == ContentType.csv.description)
        #expect(try request.buildURLRequest().httpBody == Data("id,title".utf8))
    }

    @Test func `a JSON body can be a literal with values of several types`() throws {
        let request = LibraryAPI()
        request.method = .post
        request.body = .json(["name": "Ursula", "age": 88, "awards": ["Hugo", 6], "editor": nil])
        let body = try #require(try request.buildURLRequest().httpBody)
        let value: JSONValue = ["name": "Ursula", "age": 88, "awards": ["Hugo", 6], "editor": nil]
        #expect(try FastJSONDecoder().decode(JSONValue.self, from: body) == value)
        request.body = .json(["age": 88])
        #expect(try request.buildURLRequest().httpBody == Data(#"{"age":88}"#.utf8))
    }

    @Test func `a token that begins with its scheme is refused with the reason`() async {
        let request = LibraryAPI()
        request.interceptors = [BearerAuthentication(token: "Bearer abc")]
        let error = await expectFailure(.invalidCredential) { try await request.sendRequest().value }
        #expect(error?.reason == "the token begins with `Bearer `, which is added to it: leave it out")
    }

    @Test func `a download to another URL than that of a file names the initializer`() async {
        let target = URL(string: "/tmp/token=secret")
        let error = await expectFailure(.invalidDownloadTarget) {
            try await LibraryAPI().sendDownload(to: #require(target)).value
        }
        #expect(error?.reason == "the target is not a file URL with a file name: use `URL(filePath:)`")
    }

    @Test func `a response of a mock server can have header fields alone`() {
        let response = MockResponse.status(201, headers: ["Location": "/shelves/7"])
        #expect(response.headers["Location"] == "/shelves/7")
        #expect(response.statusCode == 201)
    }
}
