public import Errand

/// An interceptor that signs requests with HTTP Message Signatures (RFC 9421).
///
/// ```swift
/// interceptors = [
///     MessageSignature(
///         .hmacSHA256(id: "orders", secret: secret),
///         covering: [.method, .authority, .path, .query, "content-type", "content-digest"])
/// ]
/// ```
///
/// List it last. A signature is valid only for the unchanged request, and usually for some minutes. Each attempt of a
/// retry has a new signature. The server's documentation specifies the components to cover, and the key.
///
/// `Content-Digest` (RFC 9530) is added if it is covered and missing, unless the body is streamed. For a streamed body,
/// set the field yourself. `Content-Length` is covered with the value that will be sent. Any other field that the
/// request does not have, such as one that the transport sets, cannot be covered. The request then fails, and nothing
/// is sent.
///
/// A redirected request would have a wrong signature: set ``/Errand/APIBase/redirectPolicy`` to `.ignore`. A redirect
/// to another origin does not receive the fields of the signature.
public struct MessageSignature: Interceptor, Authenticating {
    /// The label of the signature in its two header fields; `sig1` by default.
    public var label = "sig1"
    /// The time for which the signature is valid, without fractions of a second. A negative value counts as zero.
    /// `nil`, the default, leaves it to the server.
    public var lifetime: Duration?
    /// The purpose of the signature, if the server requires it; `nil` by default.
    public var tag: String?
    /// Whether each signature contains a random value of 128 bits, so that the server can reject a repetition; `false`
    /// by default.
    public var hasNonce = false
    /// Returns the current time, which is a part of the signature; the system's by default.
    public var now: @Sendable () -> Date = { Date() }
    /// Returns the random value of a signature. Tests replace it.
    var makeNonce: @Sendable () -> String = {
        Data((0..<16).map { _ in UInt8.random(in: 0...255) }).base64EncodedString()
    }
    private let key: Key
    private let components: [Component]

    /// Creates an interceptor that signs with a key.
    ///
    /// - Parameters:
    ///   - key: The key of the signatures.
    ///   - components: The covered components, in this order. Intermediaries can change anything that is not covered.
    public init(_ key: Key, covering components: [Component]) {
        self.key = key
        self.components = components
    }

    /// As listed if the key has an ID, which identifies the user, and else before interceptors that share responses.
    public var placement: InterceptorPlacement { key.id.map { .signing(user: $0) } ?? .beforeSharing }

    /// Signs the request and sends it.
    ///
    /// - Throws: ``/Errand/ErrandError`` with `invalidCredential` for a component that cannot be covered or is listed
    ///   twice, and for an invalid label or parameter. ``/Errand/ErrandError`` with `bodyEncodingFailed` for a covered
    ///   body without a digest, and with `invalidURL` for a request without a URL. Otherwise, the errors of the key's
    ///   closure and of `next`.
    public func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        var request = request
        if components.contains(.field("content-digest")) { try await addContentDigest(to: &request) }
        let parameters: String
        let base: String
        do throws(ErrandError) {
            guard label.isStructuredKey else {
                throw ErrandError(
                    .invalidCredential, reason: "the label of a signature has a character that is not allowed")
            }
            parameters = try signatureParameters()
            base = try SignatureBase(request, components).text(parameters: parameters)
        } catch {
            throw error.with(request: request.urlRequest)
        }
        let signature = try await key.sign(Data(base.utf8)).base64EncodedString()
        request.append("\(label)=\(parameters)", to: "Signature-Input")
        request.append("\(label)=:\(signature):", to: "Signature")
        return try await next(request)
    }
}

extension MessageSignature {
    /// Returns the covered components and the parameters, as the value of `@signature-params` (section 2.3).
    private func signatureParameters() throws(ErrandError) -> String {
        let created = Int(now().timeIntervalSince1970.rounded(.down))
        var text = try "(\(SignatureBase.identifiers(of: components).joined(separator: " ")));created=\(created)"
        if let lifetime { text += ";expires=\(created + Int(max(lifetime.bounded, .zero) / .seconds(1)))" }
        let strings = [
            ("keyid", key.id), ("alg", key.algorithm), ("nonce", hasNonce ? makeNonce() : nil), ("tag", tag),
        ]
        for case (let name, let value?) in strings { text += ";\(name)=\(try value.structuredString())" }
        return text
    }

    /// Adds the digest, unless the request has one. It runs outside the caller's actor, because hashing a large body
    /// takes long.
    @concurrent private func addContentDigest(to request: inout TransportRequest) async throws {
        guard request.urlRequest.value(forHTTPHeaderField: "Content-Digest") == nil else { return }
        guard request.bodyStream == nil, request.urlRequest.httpBodyStream == nil else {
            throw ErrandError(
                .bodyEncodingFailed, reason: "a body that is read while it is sent needs a Content-Digest to be signed"
            ).with(request: request.urlRequest)
        }
        let digest = SHA256.digest(request.urlRequest.httpBody ?? Data()).base64EncodedString()
        request.urlRequest.setValue("sha-256=:\(digest):", forHTTPHeaderField: "Content-Digest")
    }
}

extension TransportRequest {
    /// Adds a member to a dictionary in a header field that a redirect to another origin does not receive.
    fileprivate mutating func append(_ member: String, to name: String) {
        credentialFields.insert(name.lowercased())
        let others = urlRequest.value(forHTTPHeaderField: name).map { "\($0), " } ?? ""
        urlRequest.setValue(others + member, forHTTPHeaderField: name)
    }
}

extension MessageSignature: Confidential {
    /// The label and the identifier of the key.
    public var description: String { "MessageSignature \(label)" + (key.id.map { " with key \($0)" } ?? "") }
}

extension MessageSignature {
    /// A part of a request that a signature covers (RFC 9421, section 2). A string literal is the name of a header
    /// field.
    public struct Component: Hashable, Sendable, ExpressibleByStringLiteral {
        /// The name, in lowercase letters.
        let name: String
        /// The name of a query item, without percent-encoding; `nil` for any other component.
        private(set) var queryName: String?

        /// The method.
        public static let method = Component(name: "@method")
        /// The whole URL, without its fragment.
        public static let targetURI = Component(name: "@target-uri")
        /// The host in lowercase, and the port unless it is the scheme's default.
        public static let authority = Component(name: "@authority")
        /// The scheme.
        public static let scheme = Component(name: "@scheme")
        /// The path and the query, as in the request line of HTTP/1.1.
        public static let requestTarget = Component(name: "@request-target")
        /// The path of the URL; `/` for an empty path.
        public static let path = Component(name: "@path")
        /// The query with its question mark; only a question mark for a URL without a query.
        public static let query = Component(name: "@query")

        /// Creates a component for one query item. If the query has no such item, or several, the request fails.
        ///
        /// - Parameter name: The name of the item, without percent-encoding.
        public static func queryItem(_ name: String) -> Component {
            Component(name: "@query-param", queryName: name)
        }

        /// Creates a component for a header field.
        ///
        /// - Parameter name: The name, in any case.
        public static func field(_ name: String) -> Component {
            Component(name: name.asciiLowercased)
        }

        /// Creates a component for a header field.
        public init(stringLiteral name: String) {
            self = .field(name)
        }

        private init(name: String, queryName: String? = nil) {
            self.name = name
            self.queryName = queryName
        }
    }
}

extension MessageSignature.Component: CustomStringConvertible {
    /// The name, and for a query item also the name of the item.
    public var description: String { name + (queryName.map { " \($0)" } ?? "") }
}

extension MessageSignature {
    /// The key of the signatures: a shared secret, or a private key that a custom library uses.
    ///
    /// ```swift
    /// // With the package swift-crypto, or CryptoKit.
    /// let key = MessageSignature.Key(id: "orders", algorithm: "ed25519") { try privateKey.signature(for: $0) }
    /// ```
    public struct Key: Sendable {
        /// The identifier by which the server finds the key; `nil` sends none.
        public let id: String?
        /// The name of the algorithm in the signature. `nil` sends none, because the server derives it from the key.
        public let algorithm: String?
        let sign: @Sendable (Data) async throws -> Data

        /// Creates a key whose signatures a closure returns.
        ///
        /// - Parameters:
        ///   - id: The identifier by which the server finds the key; `nil` sends none.
        ///   - algorithm: The name of the algorithm, such as `ed25519`, `ecdsa-p256-sha256` or `rsa-pss-sha512` (RFC
        ///     9421, section 6.2); `nil`, the default, sends none.
        ///   - sign: A closure that receives the bytes to sign, and returns their signature as section 3.3 of the RFC
        ///     defines it for the algorithm. The request fails with the error that it throws.
        public init(
            id: String?, algorithm: String? = nil, sign: @escaping @Sendable (Data) async throws -> Data
        ) {
            self.id = id
            self.algorithm = algorithm
            self.sign = sign
        }

        /// Creates a key from a shared secret, used with HMAC and SHA-256 (RFC 9421, section 3.3.3).
        ///
        /// - Parameters:
        ///   - id: The identifier by which the server finds the secret; `nil` sends none.
        ///   - secret: The bytes of the secret.
        ///   - algorithm: The name of the algorithm in the signature: `hmac-sha256` if the server requires it. `nil`,
        ///     the default, sends none. The name does not change how the key signs.
        public static func hmacSHA256(id: String?, secret: Data, algorithm: String? = nil) -> Key {
            Key(id: id, algorithm: algorithm) { HMAC.sha256($0, key: secret) }
        }
    }
}

extension MessageSignature.Key: Confidential {
    /// Only the identifier.
    public var description: String { id ?? "a key without an identifier" }
}
