/// A digest that identifies a request by its method, URL, header fields and body.
///
/// ``ResultCache`` stores results under such keys. A key does not reveal the data from which it was created.
public struct RequestKey: Hashable, Sendable {
    private let digest: String

    /// Creates a custom key from texts that identify its results in a cache.
    public init(_ texts: String...) {
        digest = SHA256.hexDigest(texts: ["named"] + texts)
    }

    /// Creates the key of a request.
    ///
    /// - Returns: `nil` if the request has a streamed body, such as a file, because such bodies cannot be compared.
    public init?(_ request: URLRequest) {
        guard request.httpBodyStream == nil else { return nil }
        let fields = (request.allHTTPHeaderFields ?? [:]).map { ($0.key.lowercased(), $0.value) }.sorted { $0 < $1 }
        let head = [request.httpMethod ?? "GET", request.url?.absoluteString ?? ""] + fields.flatMap { [$0.0, $0.1] }
        digest = SHA256.hexDigest(
            texts: ["request", SHA256.hexDigest(texts: head)] + [
                request.httpBody.map { SHA256.hexDigest($0) } ?? "none"
            ])
    }

    /// Returns this key, combined with a text that is not part of the request, such as the user's account.
    public func partitioned(by text: String) -> RequestKey {
        RequestKey("partition", digest, text)
    }
}

extension RequestKey: CustomStringConvertible {
    /// The first digits of the digest.
    public var description: String { String(digest.prefix(16)) }
}

extension APIBase {
    /// The key of the request that would be built now, for which the body is encoded. It is `nil` if the request cannot
    /// be built or has a streamed body. It is also `nil` for a body from a closure that
    /// ``RequestBody/encodedWhenSent()`` defers.
    ///
    /// It does not include asynchronous header fields and those that interceptors add. If they identify the user, use
    /// ``RequestKey/partitioned(by:)``.
    public var requestKey: RequestKey? {
        (try? buildURLRequest(withBody: .now)).flatMap { RequestKey($0) }
    }
}
