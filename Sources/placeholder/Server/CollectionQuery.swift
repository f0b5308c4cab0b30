import Errand

/// A query to a collection: `userId=1&completed=false`, and `_limit=5&_page=2`.
struct CollectionQuery {
    private let filters: [String: Set<String>]
    private let limit: Int?
    private let page: Int

    /// Reads the query items. If an item occurs twice, a member matches with either value. Unknown names that begin
    /// with `_` are ignored.
    ///
    /// - Throws: A ``Problem`` for a limit or a page that is not a number above zero.
    init(_ items: [URLQueryItem]) throws {
        let values = Dictionary(grouping: items, by: \.name).mapValues { Set($0.compactMap(\.value)) }
        filters = values.filter { !$0.key.hasPrefix("_") }
        let page = try Self.count("_page", in: items)
        limit = try Self.count("_limit", in: items) ?? page.map { _ in 10 }
        self.page = page ?? 1
    }

    func select(from members: [JSONValue.Object]) -> Extract {
        let matching = members.filter { member in
            filters.allSatisfy { name, values in member[name]?.text.map(values.contains) ?? false }
        }
        guard let limit else { return Extract(members: matching) }
        let members = Array(matching.dropFirst((page - 1) * limit).prefix(limit))
        return Extract(
            members: members, total: matching.count, nextPage: page * limit < matching.count ? page + 1 : nil)
    }

    private static func count(_ name: String, in items: [URLQueryItem]) throws -> Int? {
        guard let item = items.last(where: { $0.name == name }) else { return nil }
        guard let count = item.value.flatMap(Int.init), (1...1_000_000).contains(count) else {
            throw Problem(400, "\(name) must be a whole number from 1 to 1000000.")
        }
        return count
    }
}

/// The result of a query: all members that match, or one page of them.
struct Extract {
    var members: [JSONValue.Object]
    /// The number of members on all pages, if this is a page.
    var total: Int?
    /// The number of the next page; `nil` after the last page.
    var nextPage: Int?
}

extension JSONValue {
    /// The value of a query item that matches this JSON value; `nil` if there is none.
    fileprivate var text: String? {
        switch self {
        case .string(let string): string
        case .number(let number): "\(number)"
        case .bool(let bool): "\(bool)"
        case .null, .array, .object: nil
        }
    }
}
