import BulletinClient
import ErrandOpenAPIRuntime
import ErrandTesting
import Testing

/// Each operation of `bulletin.yaml` with each of its stubs: the client decodes the responses and the error documents.
struct `Every stub of the placeholder server` {
    private let service = APIService.bulletin(token: BearerAuthentication(token: "token"))

    private func check<Leaf: Request, Status: StubStatus>(
        _ request: @autoclosure () -> Leaf, _ operation: (BulletinStubs) -> OperationStub<Status>
    ) async throws where Leaf.Output: Sendable {
        for status in Status.allCases {
            let stubs = RouteStubs()
            let stub = operation(stubs.onBulletin)
            stub(status)
            guard stub.response(status).statusCode < 300 else {
                let error = await #expect(throws: ErrandError.self) {
                    try await stubs.run { _ = try await request().schedule(with: service).value }
                }
                #expect(error?.payload(as: BulletinClient.Problem.self)?.title == "title", "\(status)")
                continue
            }
            _ = try await stubs.run { try await request().schedule(with: service).value }
        }
    }

    @Test func `of users and albums`() async throws {
        let user = UserDraft(name: "Ingrid", username: "ingrid", email: "ingrid@example.com")
        try await check(BulletinAPI.ListUsers(username: "ingrid", page: 1, limit: 2)) { $0.listUsers }
        try await check(BulletinAPI.AddUser(body: user)) { $0.addUser }
        try await check(BulletinAPI.GetUser(id: 1)) { $0.getUser }
        try await check(BulletinAPI.ReplaceUser(id: 1, body: user)) { $0.replaceUser }
        try await check(BulletinAPI.RemoveUser(id: 1)) { $0.removeUser }
        try await check(BulletinAPI.ListUserPosts(id: 1)) { $0.listUserPosts }
        try await check(BulletinAPI.ListUserTodos(id: 1, completed: true)) { $0.listUserTodos }
        try await check(BulletinAPI.ListAlbums(userID: 1)) { $0.listAlbums }
        try await check(BulletinAPI.AddAlbum(body: AlbumDraft(userID: 1, title: "Summer"))) { $0.addAlbum }
        try await check(BulletinAPI.GetAlbum(id: 1)) { $0.getAlbum }
        try await check(BulletinAPI.RemoveAlbum(id: 1)) { $0.removeAlbum }
        try await check(BulletinAPI.ListAlbumPhotos(id: 1)) { $0.listAlbumPhotos }
    }

    @Test func `of posts and comments`() async throws {
        let post = PostDraft(userID: 1, title: "Malafrena", body: "A novel")
        let comment = CommentDraft(postID: 1, name: "Ingrid", email: "ingrid@example.com", body: "Yes.")
        try await check(BulletinAPI.ListPosts(userID: 1)) { $0.listPosts }
        try await check(BulletinAPI.AddPost(body: post)) { $0.addPost }
        try await check(BulletinAPI.GetPost(id: 1)) { $0.getPost }
        try await check(BulletinAPI.ReplacePost(id: 1, body: post)) { $0.replacePost }
        try await check(BulletinAPI.ChangePost(id: 1, body: PostChanges(title: "Again"))) { $0.changePost }
        try await check(BulletinAPI.RemovePost(id: 1)) { $0.removePost }
        try await check(BulletinAPI.ListPostComments(id: 1)) { $0.listPostComments }
        try await check(BulletinAPI.ListComments(postID: 1, email: "a@example.com")) { $0.listComments }
        try await check(BulletinAPI.AddComment(body: comment)) { $0.addComment }
        try await check(BulletinAPI.GetComment(id: 1)) { $0.getComment }
        try await check(BulletinAPI.RemoveComment(id: 1)) { $0.removeComment }
    }

    @Test func `of tasks, the account and files`() async throws {
        let todo = TodoDraft(userID: 1, title: "Read", completed: false)
        try await check(BulletinAPI.ListTodos(userID: 1, completed: false)) { $0.listTodos }
        try await check(BulletinAPI.AddTodo(body: todo)) { $0.addTodo }
        try await check(BulletinAPI.GetTodo(id: 1)) { $0.getTodo }
        try await check(BulletinAPI.ChangeTodo(id: 1, body: TodoChanges(completed: true))) { $0.changeTodo }
        try await check(BulletinAPI.RemoveTodo(id: 1)) { $0.removeTodo }
        let credentials = BulletinClient.Credentials(name: "ingrid", password: "placeholder")
        try await check(BulletinAPI.IssueToken(body: credentials)) { $0.issueToken }
        try await check(BulletinAPI.GetMe()) { $0.getMe }
        try await check(BulletinAPI.GetFile(name: "a.txt")) { $0.getFile }
        try await check(BulletinAPI.PutFile(name: "a.txt", body: .data(Data([1])))) { $0.putFile }
    }
}
