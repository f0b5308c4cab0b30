import Errand
import Testing

#if canImport(SwiftUI)
import SwiftUI
#endif

private struct Book: Codable, Sendable {
    var title: String
}

private final class BooksRequest: APIBase, Request {
    init(author: String) {
        super.init()
        baseURL = URL(string: "https://library.example.com")
        query = ["author": "\(author)"]
    }

    func start() -> Pipeline<[Book], any Error> {
        sendRequest().decode([Book].self)
    }
}

#if canImport(SwiftUI)
private struct BooksView: View {
    @State private var books = ObservableRequest { BooksRequest(author: "Le Guin").schedule() }

    var body: some View {
        List(books.value ?? [], id: \.title) { Text($0.title) }
            .overlay { if books.isRunning { ProgressView(value: books.fractionCompleted) } }
            .task { await books.run() }
            .refreshable { await books.run() }
    }
}
#endif

@MainActor struct `The guide to SwiftUI` {
    @Test func `the guide: an observable request is tested without a network`() async {
        let books = ObservableRequest {
            let request = BooksRequest(author: "Le Guin")
            request.dataTaskPipeline = request.stubJSONResponse(data: Data(#"[{"title":"Malafrena"}]"#.utf8))
            return request.schedule()
        }
        await books.run()
        #expect(books.value?.map(\.title) == ["Malafrena"])
    }
}
