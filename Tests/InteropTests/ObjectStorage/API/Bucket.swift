import Errand
import ErrandAuth
import ErrandResilience

/// A bucket of an object store, and the configuration of its requests: every request of ``ObjectStorageAPI`` has one.
///
/// ```swift
/// let bucket = Bucket("photos", at: endpoint, in: "eu-central-1", as: AWSCredential(id: id, secret: secret))
/// let object = try await GetObject("2026/spring.jpg", in: bucket).start().value
/// ```
///
/// A bucket is a value whose copies share the limit, so that a store does not receive more concurrent requests than it
/// accepts.
struct Bucket: Sendable {
    /// The name; it is the first segment of each path ("path style").
    let name: String
    /// Scheme, host and port of the store.
    let endpoint: URL
    /// The credential that signs the requests.
    var signature: AWSSignature
    /// The transport of the requests; by default the one that the whole process shares.
    var session: (any Transport)?
    /// The policy for retries.
    var retryPolicy: RetryPolicy? = .exponential(base: .milliseconds(50))
    /// The limit on concurrent requests, including the parts of uploads.
    var limit: ConcurrencyLimit

    /// Creates a bucket value; the bucket need not exist yet.
    ///
    /// - Parameters:
    ///   - region: The store's region, which is part of each signature.
    ///   - credential: The credential that signs the requests.
    ///   - requestsAtOnce: The maximum number of concurrent requests.
    init(_ name: String, at endpoint: URL, in region: String, as credential: AWSCredential, requestsAtOnce: Int = 4) {
        self.name = name
        self.endpoint = endpoint
        signature = AWSSignature(credential, region: region, service: "s3")
        limit = ConcurrencyLimit(requestsAtOnce)
    }

    /// The path of the bucket after the endpoint.
    var path: RequestPath { "/\(name)" }
}
