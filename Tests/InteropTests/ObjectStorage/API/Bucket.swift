import Errand

/// A bucket of an object store, and how it is spoken to: what every request of ``ObjectStorageAPI`` is made for.
///
/// ```swift
/// let bucket = Bucket("photos", at: endpoint, in: "eu-central-1", as: AWSCredential(id: id, secret: secret))
/// let object = try await GetObject("2026/spring.jpg", in: bucket).start().value
/// ```
///
/// It is a value. Copies of it share the limit, so that a store is not asked more at once than it likes.
struct Bucket: Sendable {
    /// The name; it is the first segment of each path ("path style").
    let name: String
    /// Scheme, host and port of the store.
    let endpoint: URL
    /// What signs the requests.
    var signature: AWSSignature
    /// What carries the requests; by default what the whole process shares.
    var session: (any Transport)?
    /// What is sent again, and when.
    var retryPolicy: RetryPolicy? = .exponential(base: .milliseconds(50))
    /// The limit on concurrent requests, including the parts of uploads.
    var limit: ConcurrencyLimit

    /// A bucket, which need not be there yet.
    ///
    /// - Parameters:
    ///   - region: The store's region, which is part of each signature.
    ///   - credential: On whose behalf the requests are sent.
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
