import ErrandOpenAPIRuntime
import Foundation

// Code that uses every declaration of the client of board.json: it reads and sets each property, passes each parameter,
// and names each case and constant. `.ci/deep-steps/openapi-diff` compiles it with the clients of changed documents.

// MARK: Service

func useServers(url: BaseURL, region: String) -> [BoardAPI.Server] {
    let server: BoardAPI.Server = .production
    let base: BaseURL = server.baseURL
    return [
        BoardAPI.Server(url), BoardAPI.Server(base), .test, .regional(), .regional(region: region, base: region),
        .regional(base: region),
    ]
}

func useService(token: any Interceptor, key: String, server: BoardAPI.Server) -> [APIService<any Error>] {
    [
        .board(), .board(server), .board(.test), .board(account: token), .board(key: key), .board(token: token),
        .board(server, account: token, key: key, token: token),
    ]
}

func useClass(_ api: BoardAPI) -> [String] {
    let type: any (Decodable & Sendable).Type = api.errorType
    return ["\(type)", BoardAPI.AccountScope.read, BoardAPI.AccountScope.write]
}

func useWebhook(name: String, body: Data) throws -> Post? {
    let webhook = try BoardAPI.Webhook(named: name, from: body)
    switch webhook {
    case .postAdded(let post): return post
    case .other: return nil
    }
}

// MARK: Requests

func useListPosts(
    status: Status, tags: [String], text: String, number: Int, service: APIService<any Error>
) async throws {
    let request = BoardAPI.ListPosts(status: status, tags: tags, cursor: text, limit: number)
    let page: PostPage = try await request.schedule(with: service).value
    let pages: Pages<PostPage> = BoardAPI.ListPosts.pages(with: service) { BoardAPI.ListPosts() }
    for try await post in pages.items { usePost(post) }
    let items: [Post] = page.pageItems
    let cursor: String? = page.nextCursor
    _ = (items, cursor, BoardAPI.ListPosts(tags: tags), BoardAPI.ListPosts(status: status, limit: number))
    _ = BoardAPI.ListPosts(cursor: text)
}

func useAddPost(_ draft: Draft, service: APIService<any Error>) async throws -> Post {
    try await BoardAPI.AddPost(body: draft).schedule(with: service).value
}

func useGetPost(id: Int, language: String, trace: String, service: APIService<any Error>) async throws -> Post {
    _ = BoardAPI.GetPost(id: id, language: language, format: language)
    let request = BoardAPI.GetPost(id: id, language: language, format: language, xTrace: trace)
    return try await request.schedule(with: service).value
}

func useChangePost(id: Int, changes: Changes, service: APIService<any Error>) async throws -> Int? {
    let response: BoardAPI.ChangePost.Response =
        try await BoardAPI.ChangePost(id: id, body: changes).schedule(with: service).value
    switch response {
    case .ok(let post):
        usePost(post)
        return nil
    case .accepted(let number): return number
    }
}

func useOthers(id: Int, photo: Upload, text: String, query: Query, service: APIService<any Error>) async throws {
    let removed: Pipeline<Void, any Error> = BoardAPI.RemovePost(id: id).start()
    _ = BoardAPI.UploadPhoto(id: id, image: photo)
    let uploaded: Pipeline<Void, any Error> = BoardAPI.UploadPhoto(id: id, image: photo, caption: text).start()
    _ = BoardAPI.Search()
    let found: Pipeline<[Item], any Error> = BoardAPI.Search(body: query).start()
    let summary: BoardAPI.GetSummary.Response = try await BoardAPI.GetSummary().schedule(with: service).value
    let terms: Pipeline<String, any Error> = BoardAPI.Terms().start()
    let logo: Pipeline<Data, any Error> = BoardAPI.Logo().start()
    let stream: ResponseStream = BoardAPI.Logo().startStream()
    for try await item in BoardAPI.Watch().startStream() { _ = useItem(item) }
    _ = (removed, uploaded, found, terms, logo, stream, useSummary(summary))
}

func useSummary(_ old: BoardAPI.GetSummary.Response) -> BoardAPI.GetSummary.Response {
    var summary = old
    let (posts, author): (Int, BoardAPI.GetSummary.Response.Author) = (summary.posts, summary.author)
    let name: String = author.name
    summary.posts = posts
    summary.author = BoardAPI.GetSummary.Response.Author(name: name)
    return BoardAPI.GetSummary.Response(posts: posts, author: author)
}

// MARK: Structs

func usePost(_ old: Post) {
    var post = old
    let (id, title, status, date): (Int, String, Status, Date) = (post.id, post.title, post.status, post.addedAt)
    (post.id, post.title, post.status, post.addedAt) = (id, title, status, date)
    if let subtitle = post.subtitle, let labels = post.labels, let author = post.author, let place = post.place {
        let texts: (String, [String], Person, Post.Place) = (subtitle, labels, author, place)
        (post.subtitle, post.labels, post.author, post.place) = texts
        let (city, name): (String, Labels) = (place.city, labels)
        if let street = place.street {
            let text: String = street
            post.place = Post.Place(city: city, street: text)
        }
        post.place?.street = nil
        post.place = Post.Place(city: city)
        post = Post(
            id: id, title: title, status: status, addedAt: date, subtitle: subtitle, labels: name, author: author,
            place: place)
    }
    (post.subtitle, post.labels, post.author, post.place) = (nil, nil, nil, nil)
    post = Post(id: id, title: title, status: status, addedAt: date)
}

func usePage(_ old: PostPage) -> PostPage {
    var page = old
    let posts: [Post] = page.posts
    page.posts = posts
    if let next = page.next {
        let text: String = next
        page = PostPage(posts: posts, next: text)
    }
    page.next = nil
    return PostPage(posts: posts)
}

func useDraft(_ old: Draft) -> Draft {
    var draft = old
    let title: String = draft.title
    draft.title = title
    if let text = draft.text, let place = draft.place, let format = draft.format {
        let texts: (String, Nullable<String>, String) = (text, place, format)
        draft = Draft(title: title, text: texts.0, place: texts.1, format: texts.2)
    }
    (draft.text, draft.place, draft.format) = (nil, nil, nil)
    return Draft(title: title)
}

func useChanges(_ old: Changes) -> Changes {
    var changes = old
    if let title = changes.title, let sort = changes.sort {
        let values: (String, Sort) = (title, sort)
        changes = Changes(title: values.0, sort: values.1)
    }
    (changes.title, changes.sort) = (nil, nil)
    return Changes()
}

func usePerson(_ old: Person) -> Person {
    var person = old
    let name: String = person.name
    person.name = name
    if let friend = person.friend { person = Person(name: name, friend: usePerson(friend)) }
    person.friend = nil
    return Person(name: name)
}

func useQuery(_ old: Query) -> Query {
    var query = old
    if let words = query.words, let year = query.year {
        let values: ([String], Int) = (words, year)
        query = Query(words: values.0, year: values.1)
    }
    (query.words, query.year) = (nil, nil)
    return Query()
}

func useSettings(_ old: Settings) -> Settings {
    var settings = old
    let additional: [String: Int] = settings.additional
    if let theme = settings.theme {
        let text: String = theme
        settings = Settings(theme: text, additional: additional)
    }
    (settings.theme, settings.additional) = (nil, [:])
    return Settings()
}

func useProblem(_ old: Problem) -> Problem {
    var problem = old
    let title: String = problem.title
    problem.title = title
    if let detail = problem.detail {
        let text: String = detail
        problem = Problem(title: title, detail: text)
    }
    problem.detail = nil
    return Problem(title: title)
}

func useNotice(_ old: Notice) -> Notice {
    var notice = old
    let text: String = notice.text
    notice.text = text
    return Notice(text: text)
}

func useNote(_ old: Note) -> Note {
    var note = old
    let (kind, text): (String, String) = (note.kind, note.text)
    (note.kind, note.text) = (kind, text)
    _ = Note(text: text)
    return Note(text: text, kind: kind)
}

func usePicture(_ old: Picture) -> Picture {
    var picture = old
    let (kind, width): (String, Double) = (picture.kind, picture.width)
    (picture.kind, picture.width) = (kind, width)
    _ = Picture(width: width)
    return Picture(width: width, kind: kind)
}

// MARK: Enumerations and unions

func useStatus(_ status: Status) -> Status {
    let text: String = status.rawValue
    switch status {
    case .draft: return .onLine
    case .onLine: return .hidden
    case .hidden: return .draft
    default: return Status(rawValue: text)
    }
}

func useLevel(_ level: Level) -> Level {
    let number: Int = level.rawValue
    switch level {
    case ._1: return ._2
    case ._2: return ._1
    default: return Level(rawValue: number)
    }
}

func useSort(_ sort: Sort) -> Sort {
    switch sort {
    case .up: return .down
    case .down: return .random
    case .random: return .up
    }
}

func useItem(_ item: Item) -> Item {
    switch item {
    case .note(let note): return .note(useNote(note))
    case .picture(let picture): return .picture(usePicture(picture))
    case .other(let json): return .other(json)
    }
}

func useValue(_ value: Value) -> Value {
    switch value {
    case .string(let text): return .string(text + "")
    case .integer(let number): return .integer(number + 1)
    case .person(let person): return .person(usePerson(person))
    case .other(let json): return .other(json)
    }
}
