import Errand
import TestSupport
import Testing

@testable import placeholder

@Suite(.hangGuard) struct `The embedded server` {
    private let server: PlaceholderServer
    private let service: APIService<any Error>

    init() throws {
        server = try PlaceholderServer()
        service = .placeholder(at: server.url)
    }

    private func value<Sent: PlaceholderAPI & Request>(
        of request: Sent
    ) async throws -> Sent.Output where Sent.Output: Sendable {
        try await request.schedule(with: service).value
    }

    /// The detail of the problem document with which a request is refused.
    private func refusal<Sent: PlaceholderAPI & Request>(
        of request: Sent, _ statusCode: Int
    ) async throws -> String? where Sent.Output: Sendable {
        let error = await #expect(throws: ErrandError.self) { _ = try await value(of: request) }
        #expect(error?.statusCode == statusCode)
        #expect(error?.headers["Content-Type"] == "application/problem+json")
        return error?.payload(as: ProblemDetails.self)?.detail
    }

    @Test func `the server has all fixtures`() async throws {
        #expect(try await value(of: ListRequest<User>()).count == 10)
        #expect(try await value(of: ListRequest<Post>()).count == 100)
        #expect(try await value(of: ListRequest<Comment>()).count == 500)
        #expect(try await value(of: ListRequest<Todo>()).count == 200)
        #expect(try await value(of: ListRequest<Album>()).count == 100)
        #expect(try await value(of: ListRequest<Photo>()).count == 500)
    }

    @Test(arguments: [
        ("userId=2", Array(11...20)), ("userId=1&title=A dog bought its own ticket", [2]), ("id=3&id=5", [3, 5]),
        ("userId=2&_limit=3", [11, 12, 13]), ("_page=2&_limit=4", [5, 6, 7, 8]), ("_page=10", Array(91...100)),
        ("nothing=1", []), ("userId=2&_page=9", []),
    ])
    func `the server filters and pages collections`(_ query: String, _ ids: [Int]) async throws {
        var components = URLComponents()
        components.query = query
        let posts = try await value(of: ListRequest<Post>(matching: URLQuery(components.queryItems ?? [])))
        #expect(posts.map(\.id) == ids)
    }

    @Test func `the server lists related items`() async throws {
        let post = try await value(of: OneRequest<Post>(id: 3))
        let comments = try await value(of: ListRequest<Comment>(of: post))
        #expect(comments.count == 5)
        #expect(comments.allSatisfy { $0.postId == 3 })
        let user = try await value(of: OneRequest<User>(id: post.userId))
        #expect(try await value(of: ListRequest<Album>(of: user)).count == 10)
    }

    @Test func `the server keeps created, replaced, changed and deleted items`() async throws {
        let created = try await value(of: CreatePostRequest(Post.Draft(userId: 1, title: "New", body: "One")))
        #expect(created == Post(id: 101, userId: 1, title: "New", body: "One"))
        let replaced = Post(id: 101, userId: 2, title: "Newer", body: "Two")
        #expect(try await value(of: ReplacePostRequest(replaced)) == replaced)
        _ = try await value(of: ChangePostRequest(id: 101, Post.Changes(title: "Newest")))
        #expect(
            try await value(of: OneRequest<Post>(id: 101)) == Post(id: 101, userId: 2, title: "Newest", body: "Two"))
        try await value(of: DeletePostRequest(id: 101))
        #expect(
            try await refusal(of: OneRequest<Post>(id: 101), 404) == "There is no post 101: the ids go from 1 to 100.")
    }

    @Test func `a created item has a Location`() async throws {
        let request = CreatePostRequest(Post.Draft(userId: 1, title: "", body: ""))
        request.baseURL = server.url
        let response = try await request.sendRequest().value
        #expect(response.statusCode == 201)
        #expect(response.headers["Location"] == "/posts/101")
    }

    @Test func `an invalid request gets a descriptive error`() async throws {
        let photo = Photo(id: 1, albumId: 1, title: "", url: "", thumbnailUrl: "")
        #expect(try await refusal(of: ListRequest<User>(of: photo), 404) == "No users belong to photos.")
        let limit = ListRequest<User>(matching: ["_limit": "some"])
        #expect(try await refusal(of: limit, 400) == "_limit must be a whole number from 1 to 1000000.")
        let lost = ListRequest<User>()
        lost.path = "/frogs"
        let detail = "There is no collection \"frogs\", only users, posts, comments, todos, albums, photos."
        #expect(try await refusal(of: lost, 404) == detail)
        lost.path = "/users/one"
        #expect(try await refusal(of: lost, 404) == "An id is a whole number, and \"one\" is none.")
        lost.path = "/a/b/c/d"
        #expect(try await refusal(of: lost, 404) == "GET /a/b/c/d leads nowhere: try GET /users")
        let list = CreatePostRequest(Post.Draft(userId: 1, title: "", body: ""))
        list.content = ["a", "list"]
        #expect(try await refusal(of: list, 400) == "The body must be a JSON object.")
    }
}
