/// What a server says about a failure, in the form of RFC 9457 (`application/problem+json`).
///
/// Read it with `decodeError(ProblemDetails.self)`. A server that adds members of its own (section 3.2) is read with a
/// type of yours that has them.
public struct ProblemDetails: Codable, Hashable, Sendable {
    /// Identifies the kind of problem; a URI reference, `about:blank` when the server named none.
    public var type: String
    /// A short summary of the kind of problem.
    public var title: String?
    /// The status code, as the server that found the problem set it.
    public var status: Int?
    /// What went wrong this time, for a person to read.
    public var detail: String?
    /// Identifies this occurrence; a URI reference.
    public var instance: String?

    /// A problem, for stubs and servers.
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

    /// Reads a problem; a member of the wrong type is passed over, as section 3.1 asks for.
    ///
    /// - Throws: A `DecodingError` for a document that is no object, or has none of the members.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        func member<Value: Decodable>(_ key: CodingKeys) -> Value? {
            (try? members.decodeIfPresent(Value.self, forKey: key)) ?? nil
        }
        let type: String? = member(.type)
        let title: String? = member(.title)
        let status: Int? = member(.status)
        let detail: String? = member(.detail)
        let instance: String? = member(.instance)
        guard [type, title, detail, instance].contains(where: { $0 != nil }) || status != nil else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "No member of RFC 9457"))
        }
        self.init(
            type: type ?? "about:blank", title: title, status: status, detail: detail, instance: instance)
    }
}
