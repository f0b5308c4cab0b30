import BulletinClient
import ErrandMockServer
import ErrandOpenAPIRuntime
import ErrandTesting
import Testing

@testable import class placeholder.PlaceholderServer

/// The generated client of `bulletin.yaml` and the server that the document describes.
@Suite struct BulletinTests {
    private let server: PlaceholderServer
    private let service: APIService<any Error>

    init() throws {
        server = try PlaceholderServer()
        service = .bulletin(BulletinAPI.Server(BaseURL(server.url)))
    }

    @Test func `a post is added, changed and removed`() async throws {
        let draft = PostDraft(userID: 1, title: "Malafrena", body: "A novel")
        let post = try await BulletinAPI.AddPost(body: draft).schedule(with: service).value
        #expect(post.title == "Malafrena")
        let changes = PostChanges(title: "Malafrena, again")
        let changed = try await BulletinAPI.ChangePost(id: post.id, body: changes).schedule(with: service).value
        #expect(
            changed == BulletinClient.Post(id: post.id, userID: 1, title: "Malafrena, again", body: "A novel"))
        try await BulletinAPI.RemovePost(id: post.id).schedule(with: service).value
        let error = await #expect(throws: ErrandError.self) {
            try await BulletinAPI.GetPost(id: post.id).schedule(with: service).value
        }
        #expect(error?.payload(as: BulletinClient.Problem.self)?.status == 404)
    }

    @Test func `a list is read page by page`() async throws {
        let pages = BulletinAPI.ListPosts.pages(with: service) { BulletinAPI.ListPosts(userID: 1, limit: 2) }
        var titles: [String] = []
        for try await post in pages.items { titles.append(post.title) }
        let all = try await BulletinAPI.ListPosts(userID: 1).schedule(with: service).value
        #expect(titles == all.map(\.title))
        #expect(titles.count > 2)
        let response = try await BulletinAPI.ListPosts(limit: 2).sendRequest(with: service).value
        let count = BulletinAPI.ListPosts.ResponseFields(response).xTotalCount
        #expect(count.map { $0 >= titles.count } == true)
    }

    @Test func `a request with a requirement gets the credentials, and others do not`() async throws {
        let credentials = BulletinClient.Credentials(name: "ingrid", password: "placeholder")
        let issued = try await BulletinAPI.IssueToken(body: credentials).schedule(with: service).value
        let known = APIService.bulletin(
            BulletinAPI.Server(BaseURL(server.url)), token: BearerAuthentication(token: issued.token))
        let user = try await BulletinAPI.GetMe().schedule(with: known).value
        #expect(user.address?.geo?.lat == "55.4127")
        _ = try await BulletinAPI.GetUser(id: 1).schedule(with: known).value
        let fields = server.server.requests.map { $0.headers["Authorization"] }
        #expect(fields == [nil, "Bearer \(issued.token)", nil])
    }

    @Test func `a file is written and read`() async throws {
        try await BulletinAPI.PutFile(name: "a.txt", body: .data(Data("text".utf8))).schedule(with: service).value
        let data = try await BulletinAPI.GetFile(name: "a.txt").schedule(with: service).value
        #expect(String(decoding: data, as: UTF8.self) == "text")
    }

    @Test func `the changes arrive as values`() async throws {
        try await BulletinAPI.RemoveTodo(id: 1).schedule(with: service).value
        let changes = BulletinAPI.WatchChanges()
        changes.baseURL = server.url
        changes.headers["Last-Event-ID"] = "0"
        let first = try await changes.startStream().first { _ in true }
        #expect(first == BulletinClient.Change(action: .deleted, path: "/todos/1"))
    }

    @Test func `the samples of the guide work`() async throws {
        let (url, token) = (server.url, "token")

        let service = APIService.bulletin(BulletinAPI.Server(BaseURL(url)), token: BearerAuthentication(token: token))

        let posts = try await BulletinAPI.ListPosts(userID: 1).schedule(with: service).value

        let draft = PostDraft(userID: 1, title: "Malafrena", body: "A novel")
        let post = try await BulletinAPI.AddPost(body: draft).schedule(with: service).value
        #expect(!posts.contains { $0.id == post.id })

        do {
            _ = try await BulletinAPI.GetPost(id: 0).schedule(with: service).value
            Issue.record("there is a post 0")
        } catch let error as ErrandError {
            #expect(error.payload(as: BulletinClient.Problem.self)?.status == 404)
        }
    }
}
