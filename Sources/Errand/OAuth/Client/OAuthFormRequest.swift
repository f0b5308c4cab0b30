/// A request to an endpoint of an authorization server: a form, with the client's authentication.
struct OAuthFormRequest: DeclarativeRequest {
    typealias Output = DataResponse

    let url: URL
    let form: OAuthForm
    /// The credentials of Basic.
    let authorization: Secret?
    let method = RequestMethod.post
    /// Also the secrets in the body would go where a redirect leads.
    let redirectPolicy = RedirectPolicy.ignore
    let resourceTimeout: Duration? = .seconds(60)
    let maximumBodySize = 1 << 20
    /// Error responses are read, too.
    let acceptedStatusCodes = 100..<600

    var headers: HeaderFields {
        var fields: HeaderFields = ["Accept": "application/json"]
        if let authorization { fields["Authorization"] = "Basic \(authorization.text)" }
        return fields
    }

    var body: RequestBody { .urlEncoded(URLQuery(form.fields.map { URLQueryItem(name: $0.name, value: $0.value) })) }

    func decode(_ response: DataResponse) throws -> DataResponse { response }
}

/// The parameters of a request to an authorization server.
struct OAuthForm: Sendable {
    private(set) var fields: [(name: String, value: String)]
    /// What must not be shown if the server quotes it.
    private(set) var secrets: [Secret] = []

    /// - Parameters:
    ///   - fields: What the flow needs.
    ///   - others: Parameters of the user, of which those with the name of another field are left out.
    init(_ fields: KeyValuePairs<String, String>, scope: [String] = [], others: [String: String] = [:]) {
        self.fields = fields.map { ($0, $1) }
        if !scope.isEmpty { self.fields.append(("scope", scope.joined(separator: " "))) }
        for (name, value) in others.sorted(by: { $0.key < $1.key }) where !has(name) {
            self.fields.append((name, value))
        }
    }

    /// Adds a field, in place of others of that name.
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
