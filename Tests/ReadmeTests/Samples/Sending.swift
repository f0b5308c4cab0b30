import Errand

struct Staging: APIService {
    let baseURL = URL(string: "https://staging.library.example.com/v1")
}

struct AddBook: JSONRequest {
    typealias Output = Book
    let payload: Book
    let method = RequestMethod.post
    let path: RequestPath = "/books"
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

    let added = try await AddBook(payload: books[0]).schedule(with: Staging()).value
    let staged = BooksRequest(author: "Le Guin").schedule(with: Staging())
    print(books, added, staged)
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
