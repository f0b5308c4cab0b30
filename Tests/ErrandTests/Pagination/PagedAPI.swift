import Errand
import TestSupport
import Testing

/// A transport that responds with the result of a closure, and records the queries.
struct PagedTransport: Transport {
    let queries = Recorder<String>()
    let respond: @Sendable (URL) async throws -> DataResponse

    init(_ respond: @escaping @Sendable (URL) async throws -> DataResponse) {
        self.respond = respond
    }

    func send(_ request: TransportRequest) async throws -> DataResponse {
        let url = try #require(request.urlRequest.url)
        queries.record(url.query ?? "")
        return try await respond(url)
    }
}

extension PagedTransport {
    /// A transport with the numbers from 0, which returns pages of them by `page` and `per_page`.
    static func numbers(below count: Int, headers: HeaderFields = [:]) -> PagedTransport {
        PagedTransport { url in
            let (page, size) = (url.parameter("page") ?? 1, url.parameter("per_page") ?? 10)
            return .json(Array((0..<count).dropFirst((page - 1) * size).prefix(size)), headers: headers)
        }
    }
}

extension DataResponse {
    static func json(_ value: some Encodable, headers: HeaderFields = [:]) -> DataResponse {
        DataResponse(statusCode: 200, headers: headers, data: (try? JSONEncoder().encode(value)) ?? Data())
    }
}

extension URL {
    /// The value of a query item.
    func parameter(_ name: String) -> Int? { text(name).flatMap(Int.init) }

    func text(_ name: String) -> String? {
        URLComponents(url: self, resolvingAgainstBaseURL: true)?.queryItems?.first { $0.name == name }?.value
    }
}

/// A request for a page of any type.
final class ListRequest<Page: Decodable & SendableMetatype>: APIBase, Request {
    init(_ transport: any Transport) {
        super.init()
        session = transport
        baseURL = URL(string: "https://api.example.com/v1")
        path = "/list"
        query = ["q": "x"]
    }

    func start() -> Pipeline<Page, any Error> {
        sendRequest().validateStatusCode(in: 200..<300).decode(Page.self)
    }
}

extension ListRequest {
    /// This request for the page at a position.
    func at(_ page: PagePosition) -> Self {
        pagePosition = page
        return self
    }
}

extension Pages where Page: Decodable {
    /// The pages that a transport returns.
    init(
        _ style: PaginationStyle, prefetch: Bool = false, limits: PageLimits = PageLimits(),
        over transport: any Transport
    ) {
        self.init(style, prefetch: prefetch, limits: limits) { _ in ListRequest<Page>(transport) }
    }
}

extension AsyncSequence {
    /// Returns all elements.
    func all() async throws -> [Element] {
        var elements: [Element] = []
        for try await element in self { elements.append(element) }
        return elements
    }
}
