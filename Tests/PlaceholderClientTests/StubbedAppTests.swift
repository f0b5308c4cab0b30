import BulletinClient
import ErrandOpenAPIRuntime
import ErrandTesting
import Testing

/// A user's posts, as a screen shows them.
@MainActor final class PostsModel {
    private let service: APIService<any Error>
    private(set) var titles: [String] = []
    private(set) var message = ""

    init(service: APIService<any Error>) { self.service = service }

    func load(userID: Int) async {
        do {
            let request = BulletinAPI.ListPosts(userID: userID)
            titles = try await request.schedule(with: service).value.map(\.title)
        } catch {
            message = (error as? ErrandError)?.payload(as: BulletinClient.Problem.self)?.title ?? "no connection"
        }
    }

    func add(_ title: String, userID: Int) async throws {
        let draft = PostDraft(userID: userID, title: title, body: "")
        let post = try await BulletinAPI.AddPost(body: draft).schedule(with: service).value
        titles.append(post.title)
    }
}

extension PostsModel {
    /// A screen without a server, for previews.
    static var preview: PostsModel {
        let stubs = RouteStubs()
        stubs.onBulletin()
        var service = APIService.bulletin()
        service.settings.session = stubs
        return PostsModel(service: service)
    }
}

/// The sample of the guide: an app that runs without a server, and tests of its results.
@MainActor struct `A stubbed app` {
    let stubs = RouteStubs()
    let model = PostsModel(service: .bulletin())

    @Test func `the screen shows the posts, and adds one`() async throws {
        stubs.onBulletin()
        try await stubs.run {
            await model.load(userID: 1)
            try await model.add("Malafrena", userID: 1)
        }
        #expect(model.titles == ["title", "title"])
    }

    @Test func `the screen shows the server's error`() async throws {
        stubs.onBulletin.listPosts(.other, statusCode: 503)
        try await stubs.run { await model.load(userID: 1) }
        #expect(model.message == "title")
    }

    @Test func `a preview has values without a server`() async {
        let model = PostsModel.preview
        await model.load(userID: 1)
        #expect(model.titles == ["title"])
    }

    @Test func `the samples of the guide add stubs of one operation`() async throws {
        let post = BulletinClient.Post(id: 7, userID: 1, title: "Malafrena", body: "A novel")

        stubs.onBulletin()
        stubs.onBulletin.getUser(.other, statusCode: 404)
        stubs.onBulletin.getPost(try .json(encodable: post), times: .once)
        stubs.onBulletin.listPosts(inTurn: [.failure(.networkConnectionLost), stubs.onBulletin.listPosts.response()])
        stubs.onBulletin.putFile { request in .status(request.parameters["name"] == "a.txt" ? 204 : 201) }

        let service = APIService.bulletin()
        try await stubs.run {
            let missing = await #expect(throws: ErrandError.self) {
                try await BulletinAPI.GetUser(id: 1).schedule(with: service).value
            }
            #expect(missing?.statusCode == 404)
            #expect(try await BulletinAPI.GetPost(id: 7).schedule(with: service).value == post)
            await #expect(throws: ErrandError.self) {
                try await BulletinAPI.ListPosts().schedule(with: service).value
            }
            #expect(try await BulletinAPI.ListPosts().schedule(with: service).value.count == 1)
            try await BulletinAPI.PutFile(name: "a.txt", body: .data(Data())).schedule(with: service).value
        }
    }
}

/// The generated stubs of `bulletin.yaml`, whose responses the generated client decodes.
struct `The stubs of the placeholder server` {
    let stubs = RouteStubs()
    let service = APIService.bulletin(token: BearerAuthentication(token: "token"))

    @Test func `a list is one page`() async throws {
        stubs.onBulletin()
        let pages = BulletinAPI.ListPosts.pages(with: service) { BulletinAPI.ListPosts(userID: 1) }
        let titles = try await stubs.run {
            var titles: [String] = []
            for try await post in pages.items { titles.append(post.title) }
            return titles
        }
        #expect(titles == ["title"])
    }

    @Test func `events arrive as values`() async throws {
        stubs.onBulletin()
        let first = try await stubs.run {
            try await BulletinAPI.WatchChanges().startStream(with: service).first { _ in true }
        }
        #expect(first == BulletinClient.Change(action: .created, path: "path"))
    }

    @Test func `a request that another client sends is compared with the document`() async throws {
        stubs.onBulletin()
        let error = await #expect(throws: ErrandError.self) {
            let settings = RequestSettings(baseURL: "http://127.0.0.1:8080", session: stubs)
            let body = RequestBody.json(["userId": "1", "title": "Malafrena"] as JSONValue)
            try await APIService(settings).send(.post("/posts", body: body)).value
        }
        #expect(error?.code == .unexpectedRequest)
        #expect(
            error?.reason
                == "POST /posts does not fit the document: the body has no \"body\" (#/components/schemas/PostDraft/required)"
        )
    }
}
