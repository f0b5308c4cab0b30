extension Endpoint where Output: Decodable & SendableMetatype {
    /// A GET request whose output is decoded.
    public static func get(
        _ path: RequestPath = "", url: URL? = nil, query: URLQuery = [:], headers: HeaderFields = [:],
        settings: RequestSettings = RequestSettings(), as output: Output.Type = Output.self
    ) -> Endpoint {
        Endpoint(.get, path, url: url, query: query, headers: headers, settings: settings, as: output)
    }

    /// A POST request whose output is decoded.
    public static func post(
        _ path: RequestPath = "", url: URL? = nil, query: URLQuery = [:], headers: HeaderFields = [:],
        body: RequestBody = .empty, settings: RequestSettings = RequestSettings(), as output: Output.Type = Output.self
    ) -> Endpoint {
        Endpoint(.post, path, url: url, query: query, headers: headers, body: body, settings: settings, as: output)
    }

    /// A PUT request whose output is decoded.
    public static func put(
        _ path: RequestPath = "", url: URL? = nil, query: URLQuery = [:], headers: HeaderFields = [:],
        body: RequestBody = .empty, settings: RequestSettings = RequestSettings(), as output: Output.Type = Output.self
    ) -> Endpoint {
        Endpoint(.put, path, url: url, query: query, headers: headers, body: body, settings: settings, as: output)
    }

    /// A PATCH request whose output is decoded.
    public static func patch(
        _ path: RequestPath = "", url: URL? = nil, query: URLQuery = [:], headers: HeaderFields = [:],
        body: RequestBody = .empty, settings: RequestSettings = RequestSettings(), as output: Output.Type = Output.self
    ) -> Endpoint {
        Endpoint(.patch, path, url: url, query: query, headers: headers, body: body, settings: settings, as: output)
    }

    /// A DELETE request whose output is decoded.
    public static func delete(
        _ path: RequestPath = "", url: URL? = nil, query: URLQuery = [:], headers: HeaderFields = [:],
        settings: RequestSettings = RequestSettings(), as output: Output.Type = Output.self
    ) -> Endpoint {
        Endpoint(.delete, path, url: url, query: query, headers: headers, settings: settings, as: output)
    }
}

extension Endpoint where Output == Void {
    /// A GET request without an output.
    public static func get(
        _ path: RequestPath = "", url: URL? = nil, query: URLQuery = [:], headers: HeaderFields = [:],
        settings: RequestSettings = RequestSettings()
    ) -> Endpoint {
        Endpoint(.get, path, url: url, query: query, headers: headers, settings: settings)
    }

    /// A POST request without an output.
    public static func post(
        _ path: RequestPath = "", url: URL? = nil, query: URLQuery = [:], headers: HeaderFields = [:],
        body: RequestBody = .empty, settings: RequestSettings = RequestSettings()
    ) -> Endpoint {
        Endpoint(.post, path, url: url, query: query, headers: headers, body: body, settings: settings)
    }

    /// A PUT request without an output.
    public static func put(
        _ path: RequestPath = "", url: URL? = nil, query: URLQuery = [:], headers: HeaderFields = [:],
        body: RequestBody = .empty, settings: RequestSettings = RequestSettings()
    ) -> Endpoint {
        Endpoint(.put, path, url: url, query: query, headers: headers, body: body, settings: settings)
    }

    /// A PATCH request without an output.
    public static func patch(
        _ path: RequestPath = "", url: URL? = nil, query: URLQuery = [:], headers: HeaderFields = [:],
        body: RequestBody = .empty, settings: RequestSettings = RequestSettings()
    ) -> Endpoint {
        Endpoint(.patch, path, url: url, query: query, headers: headers, body: body, settings: settings)
    }

    /// A DELETE request without an output.
    public static func delete(
        _ path: RequestPath = "", url: URL? = nil, query: URLQuery = [:], headers: HeaderFields = [:],
        settings: RequestSettings = RequestSettings()
    ) -> Endpoint {
        Endpoint(.delete, path, url: url, query: query, headers: headers, settings: settings)
    }
}

extension Endpoint where Output == HeaderFields {
    /// A HEAD request, whose output are the header fields of the response.
    public static func head(
        _ path: RequestPath = "", url: URL? = nil, query: URLQuery = [:], headers: HeaderFields = [:],
        settings: RequestSettings = RequestSettings()
    ) -> Endpoint {
        Endpoint(.head, path, url: url, query: query, headers: headers, settings: settings) { $0.headers }
    }
}
