import Errand

/// The header fields and query items that interceptors put credentials into, such as those of an
/// `APIKeyAuthentication`.
struct CredentialNames: Hashable, Sendable {
    private(set) var fields: Set<String> = []
    var queryItems: Set<String> = []

    /// No names.
    init() {}

    /// The names of a request.
    init(_ request: TransportRequest) {
        fields = request.credentialFields
        queryItems = request.credentialQueryNames
    }

    /// Adds other names to these.
    mutating func formUnion(_ other: CredentialNames) {
        fields.formUnion(other.fields)
        queryItems.formUnion(other.queryItems)
    }
}
