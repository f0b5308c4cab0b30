import Errand

/// Signs requests as AWS and the stores that speak its protocol want it: AWS Signature Version 4, in header fields.
///
/// It belongs behind all interceptors that change the request, send it again or let it wait, since a signature covers
/// nearly every field and is good for some minutes. A body that is data is signed with the rest; one that is read while it
/// is sent would have to be read twice, and is sent as `UNSIGNED-PAYLOAD`, which wants TLS below it.
///
/// A request that has an `Authorization` field is sent as it is.
struct SignatureVersion4: Interceptor {
    /// On whose behalf.
    var key: AccessKey
    /// Where the service is.
    var region: String
    /// Whose signature it is: `s3` for object stores.
    var service: String
    /// Whether bodies are hashed, where they can be.
    var signsBodies = true
    /// What time it is; a service refuses requests that are a quarter of an hour off.
    var now: @Sendable () -> Date = { Date() }

    init(_ key: AccessKey, region: String, service: String) {
        self.key = key
        self.region = region
        self.service = service
    }

    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        if request.urlRequest.value(forHTTPHeaderField: "Authorization") != nil { return try await next(request) }
        var request = request
        let payload = await payload(of: request)
        sign(&request.urlRequest, payload: payload)
        return try await next(request)
    }

    /// What stands for the body. Hashing megabytes is no work for the actor that the request was started on.
    @concurrent private func payload(of request: TransportRequest) async -> String {
        guard signsBodies, request.bodyStream == nil else { return "UNSIGNED-PAYLOAD" }
        return FileDigest(.sha256, of: request.urlRequest.httpBody ?? Data()).bytes.hexadecimalDigits
    }

    private func sign(_ request: inout URLRequest, payload: String) {
        let time = HTTPDate(now()).basicFormat
        request.setValue(time, forHTTPHeaderField: "X-Amz-Date")
        request.setValue(key.sessionToken, forHTTPHeaderField: "X-Amz-Security-Token")
        if service == "s3" { request.setValue(payload, forHTTPHeaderField: "X-Amz-Content-Sha256") }
        let canonical = CanonicalRequest(request, payload: payload)
        let scope = [String(time.prefix(8)), region, service, "aws4_request"]
        let digest = FileDigest(.sha256, of: Data(canonical.text.utf8)).bytes.hexadecimalDigits
        let text = ["AWS4-HMAC-SHA256", time, scope.joined(separator: "/"), digest].joined(separator: "\n")
        // The secret is hashed with each part of the scope in turn, so that what is left of it is good for that scope only.
        let signingKey = scope.reduce(Data("AWS4\(key.secret)".utf8)) { HMAC.sha256(Data($1.utf8), key: $0) }
        let signature = HMAC.sha256(Data(text.utf8), key: signingKey).hexadecimalDigits
        let credential = ([key.id] + scope).joined(separator: "/")
        request.setValue(
            "AWS4-HMAC-SHA256 Credential=\(credential), SignedHeaders=\(canonical.signedFields), Signature=\(signature)",
            forHTTPHeaderField: "Authorization")
    }
}

extension HTTPDate {
    /// ISO 8601 without hyphens and colons: `20130524T000000Z`.
    fileprivate var basicFormat: String {
        String(date.formatted(.iso8601).filter { !"-:".contains($0) })
    }
}
