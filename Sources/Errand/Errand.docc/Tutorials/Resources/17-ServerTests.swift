import Errand
import ErrandMockServer
import ErrandTesting
import Testing

@testable import Bulletin

@Test(.timeLimit(.minutes(5))) func `a draft goes out as JSON, once`() async throws {
    let server = try MockServer()
    server.on(.post, "/posts") { request in
        .json(Data(#"{"id": 101, "userId": 1, "title": "Fog", "body": ""}"#.utf8), statusCode: 201)
    }
    let request = AddPostRequest(AddPostRequest.Draft(userId: 1, title: "Fog", body: ""))
    request.baseURL = server.url

    #expect(try await request.start().value.id == 101)

    let sent = try await server.takeRequest()
    #expect(sent.headers["Content-Type"] == "application/json")
    #expect(sent.text.contains(#""title":"Fog""#))
    #expect(server.requests.count == 1)
}

@Test(.timeLimit(.minutes(5))) func `a truncated response is an error`() async throws {
    let server = try MockServer()
    server.on(.get, "/posts") { _ in .json("[]").with(fault: .closeInBody(after: 1)) }
    let request = PostsRequest(user: 1)
    request.baseURL = server.url
    request.retryPolicy = nil

    await #expect(throws: BulletinError.unreachable) { try await request.start().value }
}
