// The types that each property may have.
extension SettingReader {
    func url(_ name: String, _ value: Any, isSecure: Bool = true) throws -> URL? {
        try read(name, value, as: "a URL or a String") { value in
            guard let text = value as? String else { return value as? URL }
            guard let url = URL(string: text.withScheme(isSecure: isSecure)) else {
                throw ErrandError(.invalidURL, reason: "the property `\(name)` is not a valid URL")
            }
            return url
        }
    }

    func method(_ value: Any) throws -> RequestMethod? {
        try read("method", value, as: "a RequestMethod or a String") {
            ($0 as? String).map(RequestMethod.init(rawValue:))
        }
    }

    func path(_ value: Any) throws -> RequestPath? {
        try read("path", value, as: "a RequestPath or a String") { value in
            (value as? String).map { RequestPath($0) }
                ?? (value as? [any PathSegmentConvertible]).map { RequestPath(segments: $0) }
        }
    }

    func query(_ value: Any) throws -> URLQuery? {
        try read("query", value, as: "a URLQuery or a dictionary of values that a query can have") { value in
            if let items = value as? [URLQueryItem] { return URLQuery(items) }
            guard let values = value as? [String: (any QueryValueConvertible)?] else { return nil }
            return values.sorted { $0.key < $1.key }.reduce(into: URLQuery()) { $0.append($1.key, $1.value) }
        }
    }

    func headers(_ name: String, _ value: Any) throws -> HeaderFields? {
        try read(name, value, as: "a HeaderFields or a [String: String]") { value in
            (value as? [String: String]).map { fields in
                HeaderFields(fields.sorted { $0.key < $1.key }.map { HeaderFields.Field($0.key, $0.value) })
            }
        }
    }

    func timeInterval(_ value: Any) throws -> TimeInterval? {
        try read("timeoutInterval", value, as: "a number of seconds or a Duration", Self.seconds)
    }

    func duration(_ value: Any) throws -> Duration? {
        try read("resourceTimeout", value, as: "a Duration or a number of seconds") { value in
            value as? Duration ?? Self.seconds(value).map { Duration(bounding: $0) }
        }
    }

    private static func seconds(_ value: Any) -> TimeInterval? {
        switch value {
        case let duration as Duration: duration / .seconds(1)
        case let number as any BinaryInteger: TimeInterval(number)
        case let number as any BinaryFloatingPoint: TimeInterval(number)
        default: nil
        }
    }

    func statusCodes(_ value: Any) throws -> Set<Int>? {
        try read("acceptedStatusCodes", value, as: "a range, an array or a set of Int") { value in
            switch value {
            case let code as Int: [code]
            // Status codes have three digits. A wide range must not become a set of all its elements.
            case let codes as any RangeExpression<Int>: Set((0..<1_000).filter { codes.contains($0) })
            case let codes as any Sequence<Int>: Set(codes)
            default: nil
            }
        }
    }

    func contentTypes(_ value: Any) throws -> [ContentType]? {
        try read("acceptedContentTypes", value, as: "an array of ContentType or String") { value in
            switch value {
            case let type as ContentType: [type]
            case let text as String: [ContentType(stringLiteral: text)]
            case let texts as [String]: texts.map { ContentType(stringLiteral: $0) }
            default: nil
            }
        }
    }

    func interceptors(_ value: Any) throws -> InterceptorList? {
        try read("interceptors", value, as: "an array of interceptors") { value in
            (value as? [any Interceptor] ?? (value as? any Interceptor).map { [$0] }).map(InterceptorList.adding)
        }
    }

    func session(_ value: Any) throws -> (any Transport)? {
        try read("session", value, as: "a Transport") { $0 as? any Transport }
    }

    func hook(_ value: Any) throws -> (any RequestHook)? {
        try read("hook", value, as: "a RequestHook") { $0 as? any RequestHook }
    }

    func retryPolicy(_ value: Any) throws -> RetryPolicy? {
        try read("retryPolicy", value, as: "a RetryPolicy") { _ in nil }
    }

    func decoder(_ value: Any) throws -> (any DataDecoder)? {
        try read("decoder", value, as: "a DataDecoder") { $0 as? any DataDecoder }
    }

    func encoder(_ value: Any) throws -> (any DataEncoder)? {
        try read("encoder", value, as: "a DataEncoder") { $0 as? any DataEncoder }
    }

    func redirectPolicy(_ value: Any) throws -> RedirectPolicy? {
        try read("redirectPolicy", value, as: "a RedirectPolicy") { _ in nil }
    }

    func priority(_ value: Any) throws -> RequestPriority? {
        try read("priority", value, as: "a RequestPriority") { _ in nil }
    }

    func cachePolicy(_ value: Any) throws -> URLRequest.CachePolicy? {
        try read("cachePolicy", value, as: "a URLRequest.CachePolicy") { _ in nil }
    }

    func maximumBodySize(_ value: Any) throws -> Int? {
        try read("maximumBodySize", value, as: "an Int") { _ in nil }
    }

    func isSecure(_ value: Any) throws -> Bool? {
        try read("isSecure", value, as: "a Bool") { _ in nil }
    }

    func pagePosition(_ value: Any) throws -> PagePosition? {
        try read("pagePosition", value, as: "a PagePosition") { _ in nil }
    }

    /// Converts a value to a body: text, data, or a value for the API's encoder. A body is returned unchanged.
    func body<Value: Sendable>(_ value: Value) throws -> RequestBody? {
        try read("body", value, as: "a RequestBody, a String, Data or an Encodable value") { wrapped in
            switch wrapped {
            case let text as String: .text(text)
            case let data as Data: .data(data)
            case is any Encodable: .json(DynamicallyEncodable(value: value, name: "body", owner: Value.self))
            default: nil
            }
        }
    }
}

/// A value whose type may be `Encodable`, which is checked when the value is encoded.
struct DynamicallyEncodable<Value: Sendable>: Encodable, Sendable {
    let value: Value
    /// The name of the property, and the type that declares it.
    let name: String
    let owner: Any.Type

    /// - Throws: ``ErrandError`` with `invalidSetting` for a value that is not encodable.
    func encode(to encoder: any Encoder) throws {
        guard let value = value as? any Encodable else {
            throw SettingReader(owner).misfit(name, value, "Encodable")
        }
        // The container makes the encoder apply its strategies for dates, URLs and keys to the value itself.
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

extension String {
    /// Returns this text of a base URL with `https`, or `http` if it is not secure, unless it has a scheme.
    func withScheme(isSecure: Bool) -> String {
        hasURLScheme ? self : (isSecure ? "https://" : "http://") + self
    }

    /// Whether this text starts with a scheme and `://` (RFC 3986, section 3.1).
    private var hasURLScheme: Bool {
        guard let end = utf8.firstIndex(of: UInt8(ascii: ":")), utf8[end...].starts(with: "://".utf8),
            let first = utf8.first, first.isASCIILetter
        else { return false }
        return utf8[..<end].allSatisfy { $0.isASCIILetter || 0x30...0x39 ~= $0 || "+-.".utf8.contains($0) }
    }
}

extension UInt8 {
    fileprivate var isASCIILetter: Bool { 0x41...0x5A ~= self || 0x61...0x7A ~= self }
}

extension RequestSettings {
    /// The settings that a service and a declarative request have in common.
    ///
    /// - Throws: ``ErrandError`` with `invalidSetting` for a property whose type does not fit.
    func commonSettings() throws -> Settings {
        let reader = SettingReader(Self.self)
        return Settings(
            baseURL: try reader.url("baseURL", baseURL, isSecure: try reader.isSecure(isSecure) ?? true),
            headers: try reader.headers("headers", headers) ?? [:],
            session: try reader.session(session),
            interceptors: try reader.interceptors(interceptors) ?? [],
            retryPolicy: try reader.retryPolicy(retryPolicy),
            hook: try reader.hook(hook),
            decoder: try reader.decoder(decoder),
            encoder: try reader.encoder(encoder),
            acceptedStatusCodes: try reader.statusCodes(acceptedStatusCodes),
            acceptedContentTypes: try reader.contentTypes(acceptedContentTypes),
            timeoutInterval: try reader.timeInterval(timeoutInterval),
            resourceTimeout: try reader.duration(resourceTimeout),
            maximumBodySize: try reader.maximumBodySize(maximumBodySize),
            redirectPolicy: try reader.redirectPolicy(redirectPolicy), priority: try reader.priority(priority),
            cachePolicy: try reader.cachePolicy(cachePolicy))
    }
}
