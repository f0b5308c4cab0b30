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
/// `Content-Digest` (RFC 9530) is added if it is covered, the request has none, and the body is data. For a streamed
/// body, set the field yourself. `Content-Length` is covered with the value that will be sent. A field that the request
/// does not have, such as one that the transport sets, cannot be covered. The request then fails, and nothing is sent.
///
/// A redirected request would have a wrong signature: set ``/Errand/APIBase/redirectPolicy`` to `.ignore`. A redirect
/// to another origin does not receive the fields of the signature.
public struct MessageSignature: Interceptor {
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
    /// Returns the random value.
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

    /// Adds the digest. It runs outside the caller's actor, because hashing a large body takes long.
    @concurrent private func addContentDigest(to request: inout TransportRequest) async throws {
        guard request.urlRequest.value(forHTTPHeaderField: "Content-Digest") == nil else { return }
        guard request.bodyStream == nil, request.urlRequest.httpBodyStream == nil else {
            throw ErrandError(
                .bodyEncodingFailed, reason: "a body that is read while it is sent needs a Content-Digest to be signed"
            ).with(request: request.urlRequest)
        }
        var hash = SHA256()
        hash.update(request.urlRequest.httpBody ?? Data())
        request.urlRequest.setValue(
            "sha-256=:\(hash.digest.base64EncodedString()):", forHTTPHeaderField: "Content-Digest")
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

extension MessageSignature: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The label and the identifier of the key.
    public var description: String { "MessageSignature \(label)" + (key.id.map { " with key \($0)" } ?? "") }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// A mirror with only the description.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
