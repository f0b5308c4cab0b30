import Errand

struct Staging: APIService {
    let baseURL = URL(string: "https://staging.library.example.com/v1")
}

/// The README's code at top level. It is compiled but not run, because it would send requests to a real host.
func sendInEveryWay() async throws {
    let books = try await BooksRequest(author: "Le Guin").start().value

    let token = BooksRequest(author: "Le Guin").start().sink { completion in
        if case .failure(let error) = completion { print(error) }
    } receiveValue: { books in
        print(books.count)
    }
    token.cancel()

    let response = BooksRequest(author: "Le Guin").schedule()
    async let titles = response.value.map(\.title)
    async let count = response.value.count
    print(try await titles, try await count)

    let staged = BooksRequest(author: "Le Guin").schedule(with: Staging())
    print(books, staged)
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
