import Errand
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
