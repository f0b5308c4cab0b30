/// A stored answer.
public struct CacheEntry: Hashable, Sendable {
    /// The status code.
    public var statusCode: Int
    /// The header fields; never `Set-Cookie`.
    public var headers: HeaderFields { didSet { directives = CacheControl(headers["Cache-Control"]) } }
    /// The body, with its content coding undone.
    public var body: Data
    /// When the request was sent that this answers, or that last found it still good.
    public var requestDate: Date
    /// When the answer to that came.
    public var responseDate: Date
    /// Which of a resource's answers it is: a digest of the request's fields that `Vary` names (RFC 9111, section 4.1).
    ///
    /// A key has one entry of each variant.
    public var variant: String
    /// What `Cache-Control` says, read once.
    private(set) var directives: CacheControl

    /// An entry as a store has written it down.
    public init(
        statusCode: Int, headers: HeaderFields, body: Data, requestDate: Date, responseDate: Date, variant: String
    ) {
        self.statusCode = statusCode
        self.headers = headers
        self.body = body
        self.requestDate = requestDate
        self.responseDate = responseDate
        self.variant = variant
        directives = CacheControl(headers["Cache-Control"])
    }

    /// About how many bytes it takes.
    public var byteCount: Int {
        headers.reduce(body.count &+ 256) { $0 &+ $1.name.utf8.count &+ $1.value.utf8.count &+ 32 }
    }

    /// Whether it may answer a request: the fields that `Vary` names are as they were.
    func isSelected(by request: URLRequest) -> Bool {
        variant == Self.variant(of: request, varyingBy: headers)
    }

    /// The digest of a request's fields that an answer's `Vary` names.
    static func variant(of request: URLRequest, varyingBy headers: HeaderFields) -> String {
        let names = CacheStoring.varyNames(headers)
        return SHA256.hexDigest(
            texts: names.flatMap { name in
                let value = request.value(forHTTPHeaderField: name)
                return [name] + (value.map { ["some", normalized($0, of: name)] } ?? ["none"])
            })
    }

    /// The fields whose values are lists, where neither case nor space around a delimiter means anything (RFC 9110,
    /// section 12.5).
    private static let listFields: Set<String> = ["accept", "accept-charset", "accept-encoding", "accept-language"]

    /// A value in the form in which it is compared (RFC 9111, section 4.1). The order stays: to some servers it matters.
    private static func normalized(_ value: String, of name: String) -> String {
        guard listFields.contains(name), !value.contains("\"") else { return value }
        return value.lowercased().split(separator: ",").map { item in
            item.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: ";")
        }.joined(separator: ",")
    }
}

extension CacheEntry: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The status and the size.
    public var description: String { "\(statusCode) (\(body.count) bytes)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone, so that `dump` shows no header value and no body.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
