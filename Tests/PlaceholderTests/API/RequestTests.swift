import Errand
import Fixtures
import Testing

@testable import placeholder

// Tests of an API client without a server: the built request shows what is sent, and a stub responds to it.

struct `What a request sends` {
    @Test func `a list request is a GET of the collection`() throws {
        let sent = try ListRequest<User>().buildURLRequest()
        #expect(sent.httpMethod == "GET")
        #expect(sent.url?.absoluteString == "https://jsonplaceholder.typicode.com/users")
        #expect(sent.value(forHTTPHeaderField: "Accept") == "application/json")
        #expect(sent.value(forHTTPHeaderField: "Content-Type") == nil)
        #expect(sent.httpBody == nil)
    }

    @Test func `a list request has its query in the URL`() throws {
        let query: URLQuery = ["userId": 1, "completed": true]
        let sent = try ListRequest<Todo>(matching: query).buildURLRequest()
        #expect(sent.url?.absoluteString == "https://jsonplaceholder.typicode.com/todos?userId=1&completed=true")
    }

    @Test func `a list request for related items has the parent in its path`() throws {
        let post = Post(id: 7, userId: 1, title: "", body: "")
        #expect(try ListRequest<Comment>(of: post).buildURLRequest().url?.path == "/posts/7/comments")
    }

    @Test func `a change request has only the changes in its body`() throws {
        let sent = try ChangePostRequest(id: 7, Post.Changes(title: "A/B")).buildURLRequest()
        #expect(sent.httpMethod == "PATCH")
        #expect(sent.url?.path == "/posts/7")
        #expect(sent.value(forHTTPHeaderField: "Content-Type") == "application/json")
        #expect(sent.httpBody == Data(#"{"title":"A/B"}"#.utf8))
    }
}

struct `What a request gives` {
    @Test func `a list request returns the decoded collection`() async throws {
        let request = ListRequest<User>()
        request.dataTaskPipeline = try request.stubJSONResponse(data: Fixtures.json("users"))
        let users = try await request.start().value
        #expect(users.count == 10)
        #expect(users.first?.name == "Ingrid Sørvåg")
        #expect(users.first?.address.city == "Port Ellery")
    }

    @Test func `a delete request returns nothing`() async throws {
        let request = DeletePostRequest(id: 1)
        request.dataTaskPipeline = request.stubResponse(statusCode: 204)
        try await request.start().value
    }

    @Test func `a rejected request fails with the server's message`() async throws {
        let request = OneRequest<User>(id: 99)
        let problem = Data(#"{"title": "Not Found", "detail": "There is no user 99."}"#.utf8)
        request.dataTaskPipeline = request.stubJSONResponse(statusCode: 404, data: problem)
        let error = try #require(
            await #expect(throws: ErrandError.self) { try await request.start().value })
        #expect(error.code == .unacceptableStatusCode)
        #expect(error.statusCode == 404)
        #expect(error.payload(as: ProblemDetails.self)?.detail == "There is no user 99.")
    }

    @Test func `a decoding failure has the location in the document`() async throws {
        let request = ListRequest<Todo>()
        request.dataTaskPipeline = request.stubJSONResponse(data: Data(#"[{"id": 1, "userId": 1, "title": 3}]"#.utf8))
        let error = try #require(
            await #expect(throws: ErrandError.self) { try await request.start().value })
        #expect(error.code == .decodingFailed)
        #expect(error.reason == "[0].title is a number, not String, at line 1, column 34")
    }
}
