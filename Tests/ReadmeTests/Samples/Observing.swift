import Errand

func useLibrary(of service: APIService<any Error>) async throws {
    var service = service
    let summary = ExchangeSummary()
    service.settings.observers = [summary]

    _ = try await service.send(.get("/books/7", as: Book.self)).value

    print(summary)
}
