/// An interceptor that adds asynchronous header fields, such as a token from a keychain, each time the request is sent.
struct AsynchronousHeaders: Interceptor {
    /// Returns the fields.
    let fields: @Sendable () async throws -> HeaderFields
    /// The fields of the settings, which the asynchronous fields replace.
    private let replaceable: HeaderFields
    /// The request's own fields, which are not replaced.
    private let own: HeaderFields

    init(
        replacing replaceable: HeaderFields, keeping own: HeaderFields,
        fields: @escaping @Sendable () async throws -> HeaderFields
    ) {
        self.replaceable = replaceable
        self.own = own
        self.fields = fields
    }

    func intercept(_ request: TransportRequest, next: Next) async throws -> DataResponse {
        var request = request
        let found = try await fields()
        for field in found { try RequestCheck.check(field: field) }
        for field in found where found.first(where: { $0.name.equalsIgnoringASCIICase(field.name) }) == field {
            // Fields that an override of `buildURLRequest()` has set also belong to the request.
            let present = request.urlRequest.value(forHTTPHeaderField: field.name)
            guard own[field.name] == nil, present == nil || present == replaceable.joined(field.name) else { continue }
            request.urlRequest.setHeaderField(field.name, found.joined(field.name))
        }
        return try await next(request)
    }
}

extension HeaderFields {
    /// The values of repeated fields as one value, as in a `URLRequest`: cookies as RFC 6265 requires, others as a
    /// list.
    fileprivate func joined(_ name: String) -> String? {
        let values = self[values: name]
        guard !values.isEmpty else { return nil }
        return values.joined(separator: name.equalsIgnoringASCIICase("Cookie") ? "; " : ", ")
    }
}
