import Errand

extension APIService<any Error> {
    static let staging = APIService(baseURL: "staging.library.example.com/v1", retryPolicy: .exponential())
}

struct AddBook: EndpointRequest {
    let draft: Book
    var endpoint: Endpoint<Book> { .post("/books", body: .json(draft)) }
}

/// The README's code at top level. It is compiled but not run, because it would send requests to a real host.
func sendInEveryWay() async throws {
    let books = try await BooksRequest(author: "Le Guin").start().value

    let token = BooksRequest(author: "Le Guin").start().sink(
        receiveCompletion: { print($0) }, receiveValue: { print($0.count) })
    token.cancel()

    let response = BooksRequest(author: "Le Guin").schedule()
    async let titles = response.value.map(\.title)
    async let count = response.value.count
    print(try await titles, try await count)

    let added = try await AddBook(draft: books[0]).schedule(with: .staging).value
    let staged = try await BooksRequest(author: "Le Guin").schedule(with: .staging).value
    let found = try await APIService.staging.send(.get("/books/7", as: Book.self)).value
    try await LibraryAPI().send(.delete("/books/7")).value
    print(books, added, staged, found)
}

func useOperators() async {
    let shelf = BooksRequest(author: "Le Guin").start()
        .retry(2)
        .timeout(.seconds(30))
        .map { $0.sorted { $0.title < $1.title } }
        .replaceError(with: [])
    print(await shelf.value)
}

func handleErrors() async throws {
    do {
        print(try await BooksRequest(author: "Le Guin").start().value)
    } catch let error as ErrandError {
        switch error.code {
        case .unacceptableStatusCode:
            print(error.payload(as: ProblemDetails.self)?.detail ?? "status \(error.statusCode ?? 0)")
        case .cancelled:
            break
        default:
            print(error)
        }
    }
}
