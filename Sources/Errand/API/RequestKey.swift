/// A digest that identifies a request by its method, URL, header fields and body.
///
/// ``ResultCache`` stores results under it. It does not reveal what it was made from.
public struct RequestKey: Hashable, Sendable {
    private let digest: String

    /// A custom key, from texts that identify its results among all others in the same cache.
    public init(_ texts: String...) {
        digest = SHA256.hexDigest(texts: ["named"] + texts)
    }

    /// The key of a request.
    ///
    /// - Returns: `nil` for a request whose body is streamed, from a file or anything else, because such bodies cannot
    ///   be compared.
    public init?(_ request: URLRequest) {
        guard request.httpBodyStream == nil else { return nil }
        let fields = (request.allHTTPHeaderFields ?? [:]).map { ($0.key.lowercased(), $0.value) }.sorted { $0 < $1 }
        let head = [request.httpMethod ?? "GET", request.url?.absoluteString ?? ""] + fields.flatMap { [$0.0, $0.1] }
        digest = SHA256.hexDigest(
            texts: ["request", SHA256.hexDigest(texts: head)] + [
                request.httpBody.map { SHA256.hexDigest($0) } ?? "none"
            ])
    }

    /// This key, made distinct by something that the request does not contain, such as the user's account.
    public func partitioned(by text: String) -> RequestKey {
        RequestKey("partition", digest, text)
    }
}

extension RequestKey: CustomStringConvertible {
    /// The first digits of the digest.
    public var description: String { String(digest.prefix(16)) }
}

extension APIBase {
    /// The key of the request as it would be built now; `nil` for a request that cannot be built, and for a streamed body.
    ///
    /// Header fields that are awaited or that an interceptor adds are not part of it: where they identify the user, add
    /// ``RequestKey/partitioned(by:)``.
    public var requestKey: RequestKey? {
        (try? buildURLRequest()).flatMap { RequestKey($0) }
    }
}
