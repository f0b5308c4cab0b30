import Errand
import TestSupport
import Testing

@testable import placeholder

@Suite(.hangGuard) struct `The embedded server besides its data` {
    private let server: PlaceholderServer

    init() throws {
        server = try PlaceholderServer()
    }

    private func send(
        _ method: RequestMethod = .get, _ path: String, headers: HeaderFields = [:], body: Data? = nil
    ) async throws -> DataResponse {
        var url = URLComponents(url: server.url, resolvingAgainstBaseURL: false)
        let parts = path.split(separator: "?", maxSplits: 1)
        url?.path = String(parts[0])
        url?.query = parts.count > 1 ? String(parts[1]) : nil
        var request = URLRequest(url: try #require(url?.url))
        request.httpMethod = method.rawValue
        request.httpBody = body
        for field in headers { request.setValue(field.value, forHTTPHeaderField: field.name) }
        return try await CurlTransport.shared.send(TransportRequest(request))
    }

    @Test func `a list has a Link to the next page until the last`() async throws {
        let first = try await send(.get, "/posts?_page=1&_limit=60&userId=1")
        #expect(first.headers["Link"] == nil)
        let pages = try await send(.get, "/posts?_limit=60")
        #expect(pages.headers["Link"] == "</posts?_limit=60&_page=2>; rel=\"next\"")
        #expect(pages.headers["X-Total-Count"] == "100")
        #expect(try await send(.get, "/posts?_limit=60&_page=2").headers["Link"] == nil)
    }

    @Test func `a request with a matching validator gets a 304 response`() async throws {
        let response = try await send(.get, "/users/1")
        let tag = try #require(response.headers["ETag"])
        #expect(response.headers["Cache-Control"]?.hasPrefix("max-age=2") == true)
        let again = try await send(.get, "/users/1", headers: ["If-None-Match": tag])
        #expect(again.statusCode == 304)
        #expect(again.data.isEmpty)
        #expect(try await send(.get, "/users/2", headers: ["If-None-Match": tag]).statusCode == 200)
    }

    @Test func `an issued token is valid for three calls`() async throws {
        let credentials = try JSONEncoder().encode(TokenGate.credentials)
        let issued = try JSONDecoder().decode(
            IssuedToken.self, from: try await send(.post, "/tokens", body: credentials).data)
        for left in [2, 1, 0] {
            let response = try await send(.get, "/me", headers: ["Authorization": "Bearer \(issued.token)"])
            #expect(response.statusCode == 200)
            #expect(response.headers["Token-Calls-Left"] == "\(left)")
        }
        #expect(try await send(.get, "/me", headers: ["Authorization": "Bearer \(issued.token)"]).statusCode == 401)
        #expect(try await send(.get, "/me").statusCode == 401)
    }

    @Test(arguments: ["{}", "", #"{"name": "ingrid", "password": "wrong"}"#])
    func `wrong credentials get no token`(_ body: String) async throws {
        #expect(try await send(.post, "/tokens", body: Data(body.utf8)).statusCode == 403)
    }

    @Test func `the flaky endpoint fails in a fixed sequence`() async throws {
        #expect(try await send(.get, "/flaky").statusCode == 503)
        await #expect(throws: TransportFailure.self) { try await send(.get, "/flaky") }
        let third = try await send(.get, "/flaky")
        #expect(third.statusCode == 429)
        #expect(third.headers["Retry-After"] == "1")
        #expect(try await send(.get, "/flaky").statusCode == 200)
        #expect(try await send(.get, "/flaky").statusCode == 503)
    }
}
