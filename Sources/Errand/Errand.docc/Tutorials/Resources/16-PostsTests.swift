import Errand
import ErrandTesting
import Testing

@testable import Bulletin

@Test func `the posts of one user are requested and decoded`() async throws {
    let request = PostsRequest(user: 7)
    request.dataTaskPipeline = request.stubJSONResponse(
        data: Data(#"[{"id": 1, "userId": 7, "title": "Fog", "body": "No sailings."}]"#.utf8))

    let posts = try await request.start().value

    #expect(posts.map(\.title) == ["Fog"])
    #expect(request.request?.url?.query == "userId=7")
}

@Test func `a missing list is an error of the API`() async throws {
    let request = PostsRequest(user: 7)
    request.dataTaskPipeline = request.stubResponse(statusCode: 404)

    await #expect(throws: BulletinError.notFound) { try await request.start().value }
}

@Test(.timeLimit(.minutes(5))) func `a request to a busy server is repeated without real waiting`() async throws {
    let clock = ManualClock()
    let request = PostsRequest(user: 7)
    request.retryPolicy?.clock = clock
    request.retryPolicy?.random = { 1 }
    request.dataTaskPipeline = request.stub(inTurn: [
        request.stubResponse(statusCode: 503),
        request.stubJSONResponse(data: Data("[]".utf8)),
    ])

    let response = request.schedule()
    async let posts = response.value
    try await clock.waitForSleepers()
    clock.advance(by: .milliseconds(200))

    #expect(try await posts.isEmpty)
    #expect(try await response.head?.attempts == 2)
}
