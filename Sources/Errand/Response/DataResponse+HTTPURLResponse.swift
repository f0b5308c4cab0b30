extension DataResponse {
    /// Creates a response from a head that Foundation has parsed.
    init(_ response: HTTPURLResponse, data: Data) {
        self.init(
            statusCode: response.statusCode, headers: HeaderFields(response), data: data, url: response.url)
    }

    /// The head as a Foundation object, created anew for each call; `nil` if the response has no URL.
    ///
    /// Foundation keeps one value for each name. Repeated fields, regardless of case, are joined with a comma and a
    /// space under the first spelling of the name (RFC 9110, section 5.3). `Set-Cookie` fields are also joined, always
    /// under that spelling, because `HTTPCookie.cookies(withResponseHeaderFields:for:)` reads all cookies from such a
    /// list. For the separate values of a repeated field, use ``headers``.
    public var httpURLResponse: HTTPURLResponse? {
        guard let url else { return nil }
        var names: [HeaderFields.Name: String] = [.setCookie: "Set-Cookie"]
        var values: [String: [String]] = [:]
        for field in headers {
            let name = names[HeaderFields.Name(field.name), default: field.name]
            names[HeaderFields.Name(field.name)] = name
            values[name, default: []].append(field.value)
        }
        let fields = values.mapValues { $0.joined(separator: ", ") }
        return HTTPURLResponse(url: url, statusCode: statusCode, httpVersion: "HTTP/1.1", headerFields: fields)
    }
}
