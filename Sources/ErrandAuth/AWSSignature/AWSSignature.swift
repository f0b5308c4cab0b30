public import Errand

/// An interceptor that signs requests with AWS Signature Version 4, for AWS and compatible services such as object
/// stores.
///
/// ```swift
/// interceptors = [AWSSignature(AWSCredential(id: id, secret: secret), region: "eu-central-1", service: "s3")]
/// ```
///
/// List it last. A signature covers the header fields and is valid for some minutes, so it must come after interceptors
/// that change, repeat or delay the request. Each attempt of a retry has a new signature. After a cache, requests share
/// a response if they are signed for the same user.
///
/// The signature covers the method, the URL, the body, and all header fields except those that transports and proxies
/// change, such as `User-Agent`. A body that is data is signed. A streamed body is not signed, because it may be
/// readable only once. The signature then contains `UNSIGNED-PAYLOAD`, which object stores accept over TLS.
///
/// For S3, the path is signed as it is sent. For other services, also `s3tables` and `s3vectors`, it is normalized and
/// escaped twice, as AWS specifies. The names of S3 are `s3`, `s3express`, `s3-outposts` and `s3-object-lambda`.
///
/// A request that has an `Authorization` field is sent unchanged. A redirected request would have a wrong signature:
/// set ``/Errand/APIBase/redirectPolicy`` to `.ignore`.
public struct AWSSignature: Interceptor, Authenticating {
    /// The region of the service, such as `eu-central-1`.
    public let region: String
    /// The name of the service in signatures, such as `s3` or `dynamodb`.
    public let service: String
    /// Whether a body that is data is hashed and signed; `true` by default. Otherwise the signature contains
    /// `UNSIGNED-PAYLOAD` in its place.
    public var signsBodies = true
    /// Returns the current time; the system's by default. Services reject requests whose time differs by more than some
    /// minutes.
    public var now: @Sendable () -> Date = { Date() }
    private let credential: @Sendable () async throws -> AWSCredential
    /// The user whose credentials sign the requests; `nil` if it is not known.
    private let user: String?

    /// Creates an interceptor that signs with one credential.
    public init(_ credential: AWSCredential, region: String, service: String) {
        self.init(region: region, service: service, user: credential.id) { credential }
    }

    /// Creates an interceptor that signs with a credential that changes, such as a temporary one.
    ///
    /// - Parameters:
    ///   - region: The region of the service, such as `eu-central-1`.
    ///   - service: The name of the service in signatures, such as `s3`.
    ///   - user: A text that identifies the user of all credentials, such as the name of a role. `nil`, the default,
    ///     means that it is not known: the interceptor then runs before a cache, which cannot find a response again.
    ///   - credential: A closure that is called for each attempt, so it should return immediately. The request fails
    ///     with the error that it throws.
    public init(
        region: String, service: String, user: String? = nil,
        credential: @escaping @Sendable () async throws -> AWSCredential
    ) {
        self.region = region
        self.service = service
        self.user = user
        self.credential = credential
    }

    /// As listed if the user of the credentials is known, and else before interceptors that share responses.
    public var placement: InterceptorPlacement { user.map { .signing(user: $0) } ?? .beforeSharing }

    /// Signs the request and sends it.
    ///
    /// - Throws: ``/Errand/ErrandError`` with `invalidCredential` for an invalid credential, or the errors of the
    ///   credential's closure and of `next`.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        if request.hasAuthorization { return try await next(request) }
        var request = request
        let credential = try await checkedCredential(for: request)
        let payload = await payload(of: request)
        sign(&request.urlRequest, payload: payload, as: credential)
        // A redirect to another origin does not receive the field.
        if credential.token != nil { request.credentialFields.insert("x-amz-security-token") }
        return try await next(request)
    }

    /// Returns the URL of a request with the signature in its query. Anyone who has the URL can send the request until
    /// it expires.
    ///
    /// ```swift
    /// let url = try await signature.presignedURL(for: URLRequest(url: picture), validFor: .seconds(600))
    /// ```
    ///
    /// The URL is a secret until it expires. The request must be sent with the method and the header fields that were
    /// signed. For services other than S3, the body must be the same too, unless it is a stream or ``signsBodies`` is
    /// `false`.
    ///
    /// - Parameters:
    ///   - request: The request, without a signature.
    ///   - duration: The time for which the URL is valid, from 1 second to 7 days; an hour by default. A value outside
    ///     this range counts as the nearest one, and a fraction of a second is dropped.
    /// - Throws: ``/Errand/ErrandError`` with `invalidURL` for a request without a URL, or with `invalidCredential`.
    ///   Otherwise, the error of the credential's closure.
    public func presignedURL(for request: URLRequest, validFor duration: Duration = .seconds(3600)) async throws -> URL
    {
        let credential = try await checkedCredential(for: TransportRequest(request))
        let payload = isObjectStore ? Self.unsignedPayload : await payload(of: TransportRequest(request))
        return try presign(request, duration, as: credential) {
            AWSCanonicalRequest($0, payload: payload, path: pathRule)
        }
    }
}

extension AWSSignature {
    private static let algorithm = "AWS4-HMAC-SHA256"
    private static let unsignedPayload = "UNSIGNED-PAYLOAD"

    /// The names of S3 in signatures. The rules of AWS's own clients for its endpoints turn off the second escape for
    /// these, and not for other services whose names begin with `s3`.
    private static let objectStores: Set = ["s3", "s3express", "s3-outposts", "s3-object-lambda"]

    private var isObjectStore: Bool { Self.objectStores.contains(service) }
    private var pathRule: AWSCanonicalRequest.PathRule { isObjectStore ? .asSent : .normalized }

    /// Returns the credential, or throws if it cannot be a part of a signature.
    private func checkedCredential(for request: TransportRequest) async throws -> AWSCredential {
        let credential = try await credential()
        // A missing token is valid, but an empty one is not.
        let sent = [credential.id, credential.token?.text ?? "-", region, service]
        guard !sent.contains(where: { $0.isEmpty || $0.hasControlCharacter }) else {
            throw ErrandError(
                .invalidCredential,
                reason: "the identifier, token, region or service is empty, or has a control character"
            ).with(request: request.urlRequest)
        }
        return credential
    }

    /// Returns the digest of the body, or the marker of an unsigned one. It runs outside the caller's actor, because
    /// hashing a large body takes long.
    @concurrent private func payload(of request: TransportRequest) async -> String {
        guard signsBodies, request.bodyStream == nil, request.urlRequest.httpBodyStream == nil else {
            return Self.unsignedPayload
        }
        return SHA256.hexDigest(request.urlRequest.httpBody ?? Data())
    }

    /// Adds the time, the token and, where it is required, `payload`. Then adds the signature that covers them.
    ///
    /// - Parameter payload: The digest of the body, or the marker of an unsigned one.
    private func sign(_ request: inout URLRequest, payload: String, as credential: AWSCredential) {
        let time = now().awsBasicFormat
        request.setValue(time, forHTTPHeaderField: "X-Amz-Date")
        request.setValue(credential.token?.text, forHTTPHeaderField: "X-Amz-Security-Token")
        if isObjectStore || payload == Self.unsignedPayload {
            request.setValue(payload, forHTTPHeaderField: "X-Amz-Content-Sha256")
        }
        let canonical = AWSCanonicalRequest(request, payload: payload, path: pathRule)
        request.setValue(authorization(for: canonical, at: time, as: credential), forHTTPHeaderField: "Authorization")
    }

    /// The value of the `Authorization` field.
    func authorization(for canonical: AWSCanonicalRequest, at time: String, as credential: AWSCredential) -> String {
        let signature = signature(of: canonical, at: time, as: credential)
        let scope = ([credential.id] + scopeParts(at: time)).joined(separator: "/")
        return "\(Self.algorithm) Credential=\(scope), SignedHeaders=\(canonical.signedFields), Signature=\(signature)"
    }

    /// Returns the URL of a request with the signature in its query.
    ///
    /// - Parameters:
    ///   - unsigned: The names of the fields that are not signed. AWS's test suite has its own.
    ///   - canonical: A closure that returns the canonical form of the request with the new query, which contains the
    ///     payload.
    func presign(
        _ request: URLRequest, _ duration: Duration, unsigned: Set<String> = AWSCanonicalRequest.changeableFields,
        as credential: AWSCredential, canonical: (URLRequest) -> AWSCanonicalRequest
    ) throws -> URL {
        guard let url = request.url, var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            throw ErrandError(.invalidURL, reason: "a request without a URL cannot be signed")
        }
        let time = now().awsBasicFormat
        let seconds = Int(min(max(duration, .seconds(1)), .seconds(604_800)) / .seconds(1))
        var items = [
            ("X-Amz-Algorithm", Self.algorithm),
            ("X-Amz-Credential", ([credential.id] + scopeParts(at: time)).joined(separator: "/")),
            ("X-Amz-Date", time), ("X-Amz-Expires", "\(seconds)"),
            ("X-Amz-SignedHeaders", AWSCanonicalRequest.signedFields(of: request, unsigned: unsigned)),
        ]
        if let token = credential.token { items.append(("X-Amz-Security-Token", token.text)) }
        /// Adds items to the query of `components`, and returns the new URL.
        func add(_ items: [(String, String)]) throws -> URL {
            let added = items.map { "\($0)=\($1.awsEscaped())" }
            components.percentEncodedQuery =
                ([components.percentEncodedQuery].compactMap { $0 }.filter { !$0.isEmpty }
                + added).joined(separator: "&")
            guard let url = components.url else {
                throw ErrandError(.invalidURL, reason: "the signed URL is not a valid URL")
            }
            return url
        }
        var request = request
        request.url = try add(items)
        let signature = signature(of: canonical(request), at: time, as: credential)
        return try add([("X-Amz-Signature", signature)])
    }

    /// The scope for which the signing key is valid, in parts: the date, the region, the service, and a fixed text.
    private func scopeParts(at time: String) -> [String] { [String(time.prefix(8)), region, service, "aws4_request"] }

    private func signature(of canonical: AWSCanonicalRequest, at time: String, as credential: AWSCredential) -> String {
        let scope = scopeParts(at: time)
        let digest = SHA256.hexDigest(Data(canonical.text.utf8))
        let text = [Self.algorithm, time, scope.joined(separator: "/"), digest].joined(separator: "\n")
        // The secret is hashed with each part of the scope in sequence, so that the key is valid only for that scope.
        let key = scope.reduce(Data("AWS4\(credential.secret.text)".utf8)) { HMAC.sha256(Data($1.utf8), key: $0) }
        return HMAC.sha256(Data(text.utf8), key: key).hexadecimal
    }
}

extension AWSSignature: Confidential {
    /// The service and the region.
    public var description: String { "AWSSignature for \(service) in \(region)" }
}

extension Date {
    /// The time in ISO 8601 without hyphens and colons, such as `20130524T000000Z`.
    var awsBasicFormat: String { String(formatted(.iso8601).filter { !"-:".contains($0) }) }
}

/// An access key of AWS, or of a compatible service.
///
/// Its descriptions show only the identifier.
public struct AWSCredential: Hashable, Sendable {
    /// The identifier of the access key, which is sent.
    public let id: String
    let secret: Secret
    let token: Secret?

    /// Creates an access key.
    ///
    /// - Parameters:
    ///   - id: The identifier of the access key.
    ///   - secret: The secret access key, which is not sent.
    ///   - sessionToken: The token of a temporary credential; `nil`, the default, for a permanent one.
    public init(id: String, secret: String, sessionToken: String? = nil) {
        self.id = id
        self.secret = Secret(secret)
        token = sessionToken.map(Secret.init)
    }
}

extension AWSCredential: Confidential {
    /// Only the identifier.
    public var description: String { id }
    /// A mirror with only the identifier, so that `dump` shows no secret either.
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
