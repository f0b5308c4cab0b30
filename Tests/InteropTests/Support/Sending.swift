import Errand
import Testing

extension CurlTransport {
    /// A new transport, which ignores the proxies of the environment.
    static func direct() -> CurlTransport { direct { _ in } }

    /// A new transport without a proxy, whose configuration `change` modifies.
    static func direct(_ change: (inout CurlConfiguration) throws -> Void) rethrows -> CurlTransport {
        var configuration = CurlConfiguration()
        configuration.proxy = .none
        try change(&configuration)
        return CurlTransport(configuration)
    }

    /// A new transport that also trusts this authority.
    static func trusting(
        _ authority: CertificateAuthority, _ change: (inout CurlConfiguration) throws -> Void = { _ in }
    ) throws -> CurlTransport {
        try direct { configuration in
            configuration.tls.additionalAuthorities = try authority.pem
            try change(&configuration)
        }
    }
}

extension Transport {
    /// Sends a GET.
    func get(_ url: URL, headers: [String: String] = [:]) async throws -> DataResponse {
        try await send(.get(url, headers: headers))
    }
}

extension TransportRequest {
    /// A GET with an idle timeout of a minute.
    static func get(_ url: URL, headers: [String: String] = [:]) -> TransportRequest {
        var request = URLRequest(url: url, timeoutInterval: 60)
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return TransportRequest(request)
    }
}

extension URL {
    /// - Throws: `URLError` for a text that is not a URL.
    static func of(_ text: String) throws -> URL {
        guard let url = URL(string: text) else { throw URLError(.badURL) }
        return url
    }
}

/// Runs `body`, which must fail with this code.
func expectURLError<Value>(
    _ code: URLError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Value
) async {
    do {
        _ = try await body()
        Issue.record("nothing was thrown", sourceLocation: sourceLocation)
    } catch {
        let reason = (error as? TransportFailure)?.error ?? error as? URLError
        #expect(reason?.code == code, "\(error)", sourceLocation: sourceLocation)
    }
}
