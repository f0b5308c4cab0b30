/// The type and subtype of a body (RFC 9110, section 8.3.1), without its parameters; either may be `*` in a range.
struct MediaType: Hashable, Sendable, CustomStringConvertible {
    let type: String
    let subtype: String

    /// Reads `type/subtype`, in any case, with or without parameters and white space; nil when it is neither.
    init?(_ field: String) {
        let essence = field.prefix { $0 != ";" }.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        guard essence.count == 2, essence.allSatisfy(\.isHTTPToken) else { return nil }
        type = essence[0]
        subtype = essence[1]
    }

    /// Whether this, as a range, takes in `other`: `application/*` takes in `application/json`.
    func includes(_ other: MediaType) -> Bool {
        (type == "*" || type == other.type) && (subtype == "*" || subtype == other.subtype)
    }

    var description: String { "\(type)/\(subtype)" }
}
