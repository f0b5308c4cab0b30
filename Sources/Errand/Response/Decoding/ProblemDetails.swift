/// The description of a failure by a server, in the format of RFC 9457 (`application/problem+json`).
///
/// Decode it with `decodeError(ProblemDetails.self)`. For a server that adds its own members (section 3.2), define a
/// type that has them.
public struct ProblemDetails: Codable, Hashable, Sendable {
    /// A URI reference that identifies the kind of problem; `about:blank` if the server named none.
    public var type: String
    /// A short summary of the kind of problem.
    public var title: String?
    /// The status code, as the server that detected the problem set it.
    public var status: Int?
    /// An explanation of this occurrence for a person.
    public var detail: String?
    /// A URI reference that identifies this occurrence.
    public var instance: String?

    /// Creates a problem, for stubs and servers.
    public init(
        type: String = "about:blank", title: String? = nil, status: Int? = nil, detail: String? = nil,
        instance: String? = nil
    ) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.instance = instance
    }

    /// Decodes a problem. Every member is optional, and a member of the wrong type is ignored, as section 3.1 requires.
    ///
    /// - Throws: A `DecodingError` for a document that is not an object.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        func member<Value: Decodable>(_ key: CodingKeys) -> Value? {
            (try? members.decodeIfPresent(Value.self, forKey: key)) ?? nil
        }
        self.init(
            type: member(.type) ?? "about:blank", title: member(.title), status: member(.status),
            detail: member(.detail), instance: member(.instance))
    }
}
