import Errand

/// A request to an endpoint of an authorization server: a form, with the client's authentication.
struct OAuthFormRequest: EndpointRequest {
    let url: URL
    let form: OAuthForm
    /// The credentials for Basic, in base64.
    let authorization: Secret?

    var endpoint: Endpoint<DataResponse> {
        var headers: HeaderFields = ["Accept": "application/json"]
        if let authorization { headers["Authorization"] = "Basic \(authorization.text)" }
        let fields = form.fields.map { URLQueryItem(name: $0.name, value: $0.value) }
        return Endpoint(
            .post, url: url, headers: headers, body: .urlEncoded(URLQuery(fields)), settings: Self.settings
        ) { $0 }
    }

    /// Redirects are not followed: the body may hold secrets, and a redirect would send it to another URL. Error
    /// responses are decoded as well.
    private static let settings = RequestSettings(
        acceptedStatusCodes: .all, resourceTimeout: .seconds(60), maximumBodySize: 1 << 20, redirectPolicy: .ignore)
}

/// The parameters of a request to an authorization server.
struct OAuthForm: Sendable {
    private(set) var fields: [(name: String, value: String)]
    /// The secrets of the form, which must not be shown if the server repeats them.
    private(set) var secrets: [Secret] = []

    /// - Parameters:
    ///   - fields: The parameters of the flow.
    ///   - others: Parameters of the caller. Those with the name of another field are ignored.
    init(_ fields: KeyValuePairs<String, String>, scope: [String] = [], others: [String: String] = [:]) {
        self.fields = fields.map { ($0, $1) }
        if !scope.isEmpty { self.fields.append(("scope", scope.joined(separator: " "))) }
        for (name, value) in others.sorted(by: { $0.key < $1.key }) where !has(name) {
            self.fields.append((name, value))
        }
    }

    /// Adds a field in place of any fields with that name.
    mutating func add(_ name: String, _ value: String) {
        fields.removeAll { $0.name == name }
        fields.append((name, value))
    }

    /// Adds a field whose value must not be shown.
    mutating func add(_ name: String, secret: Secret) {
        add(name, secret.text)
        secrets.append(secret)
    }

    /// The fields as the query of a URL.
    var query: String {
        fields.map { "\($0.name.formURLEncoded)=\($0.value.formURLEncoded)" }.joined(separator: "&")
    }

    private func has(_ name: String) -> Bool { fields.contains { $0.name == name } }
}
