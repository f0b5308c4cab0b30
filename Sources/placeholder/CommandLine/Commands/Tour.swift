import Errand

/// Sends one request of each kind, and shows the code for it.
struct Tour {
    private let service: APIService<any Error>
    /// The destination in words.
    private let place: String
    private let out: Output
    private let summary: ExchangeSummary

    init(service: APIService<any Error>, place: String, out: Output, clock: any Clock<Duration>) {
        summary = ExchangeSummary(clock: clock)
        var service = service
        service.settings.observers = [summary]
        self.service = service
        self.place = place
        self.out = out
    }

    func run() async throws {
        out.line("A tour of Errand, over real HTTP to \(place). Each → is a request that went over the wire.")
        try await list()
        try await fetchOne()
        try await filter()
        try await create()
        try await replace()
        try await patch()
        try await delete()
        try await followRelation()
        try await fail()
        summarize()
        out.line("\nThat was the tour. `placeholder --help` says what else there is.")
    }

    private func list() async throws {
        begin("1. List a collection", "ListRequest<User>()")
        show(try await service.value(of: ListRequest<User>()))
    }

    private func fetchOne() async throws {
        begin("2. Fetch one of it", "OneRequest<User>(id: 1)")
        show(try await service.value(of: OneRequest<User>(id: 1)))
    }

    private func filter() async throws {
        begin("3. Filter by query", "ListRequest<Todo>(matching: query)")
        let query: URLQuery = ["userId": 1, "completed": true]
        show(try await service.value(of: ListRequest<Todo>(matching: query)))
    }

    private func create() async throws {
        begin("4. Create", "CreatePostRequest(draft)")
        let draft = Post.Draft(userId: 1, title: "Hello", body: "A first post.")
        show(try await service.value(of: CreatePostRequest(draft)))
    }

    private func replace() async throws {
        begin("5. Replace", "ReplacePostRequest(post)")
        let post = Post(id: 100, userId: 10, title: "Hello again", body: "In the place of an older post.")
        show(try await service.value(of: ReplacePostRequest(post)))
    }

    private func patch() async throws {
        begin("6. Change a part", "ChangePostRequest(id: 100, changes)")
        show(try await service.value(of: ChangePostRequest(id: 100, Post.Changes(title: "A better title"))))
    }

    private func delete() async throws {
        begin("7. Delete", "DeletePostRequest(id: 100)")
        try await service.value(of: DeletePostRequest(id: 100))
        out.line("Post 100 is gone.")
    }

    private func followRelation() async throws {
        begin("8. Follow a relation", "ListRequest<Comment>(of: post)")
        let post = try await service.value(of: OneRequest<Post>(id: 1))
        show(try await service.value(of: ListRequest<Comment>(of: post)))
    }

    private func fail() async throws {
        begin("9. Fail", "catch let error as ErrandError")
        do {
            _ = try await service.value(of: OneRequest<User>(id: 99))
            out.line("It was to fail, and did not: this server has a user 99.")
        } catch let error as ErrandError where error.code == .unacceptableStatusCode {
            let problem = error.payload(as: ProblemDetails.self)
            out.line("error.code        \(error.code)")
            out.line("error.statusCode  \(error.statusCode.map(String.init) ?? "none")")
            out.line("problem.title     \((problem?.title ?? "none").onOneLine)")
            out.line("problem.detail    \((problem?.detail ?? "none").onOneLine)")
        }
    }

    private func summarize() {
        begin("10. See what was sent", "observers = [ExchangeSummary()]")
        out.line("\(summary)")
    }

    private func begin(_ headline: String, _ code: String) {
        out.line("\n\(headline): \(code)")
    }

    private func show<Row: Tabular>(_ rows: [Row]) {
        out.line(Table(rows: rows).text)
    }

    private func show<Row: Tabular>(_ row: Row) {
        out.line(Card(row: row).text)
    }
}
