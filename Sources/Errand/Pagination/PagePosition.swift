/// Where a page is: what its request has to say.
///
/// A leaf passes it to ``APIBase/ask(for:)``, or reads from it what its API wants to hear.
///
/// Its description shows neither a cursor nor a URL.
public struct PagePosition: Hashable, Sendable {
    /// A place in the list, in the words of one style.
    enum Place: Hashable, Sendable {
        case number(Int)
        case offset(Int)
        case cursor(String?)
        case link(URL?)
    }

    /// How many pages of this iteration came before; 0 for the first.
    public let index: Int
    /// How many items are asked for; nil leaves it to the server.
    public let size: Int?
    /// What asks for the page; empty where ``url`` has the whole query.
    public let query: Query
    let place: Place
    /// Where links may lead to, other than to where the API is.
    let trustedOrigins: Set<PageOrigin>

    /// The number of the page; nil in another style.
    public var number: Int? {
        guard case .number(let number) = place else { return nil }
        return number
    }

    /// How many items to leave out; nil in another style.
    public var offset: Int? {
        guard case .offset(let offset) = place else { return nil }
        return offset
    }

    /// What the page is asked for with; nil for the first page, and in another style.
    public var cursor: String? {
        guard case .cursor(let cursor) = place else { return nil }
        return cursor
    }

    /// Where the page is, whole; nil for the first page, and in another style.
    public var url: URL? {
        guard case .link(let url) = place else { return nil }
        return url
    }
}

extension PagePosition: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The index of the page.
    public var description: String { "page at index \(index)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone, so that `dump` shows no cursor and no URL.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
