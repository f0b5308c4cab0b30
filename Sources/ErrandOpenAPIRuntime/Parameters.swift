/// How OpenAPI writes the value of a parameter that has several parts.
public enum ParameterStyle: Hashable, Sendable {
    /// `color=blue,black`, or `color=blue&color=black` if exploded.
    case form
    /// `blue,black`.
    case simple
    /// `.blue,black`, or `.blue.black` if exploded.
    case label
    /// `;color=blue,black`, or `;color=blue;color=black` if exploded.
    case matrix
    /// `color=blue%20black`.
    case spaceDelimited
    /// `color=blue%7Cblack`.
    case pipeDelimited
    /// `color[R]=100&color[G]=200`, `colors[]=blue&colors[]=black`, or `colors[0][R]=100&colors[1][R]=200` for objects
    /// in an array.
    case deepObject
    /// `color=blue; color=black`, as cookies are written.
    case cookie
}

/// A part of a parameter's value: its text, an element of an array, or a member of an object.
struct ParameterPart: Equatable {
    var name: String?
    var text: String

    /// Returns the parts of a value, with members sorted by name; `nil` for a value that cannot be encoded.
    static func parts(of value: (some Encodable)?) -> [ParameterPart]? {
        value.flatMap { try? JSONValue(encoding: $0, encoder: .openAPI) }?.parameterParts
    }
}

extension [ParameterPart] {
    /// The parts in one text, with a sign between names and values.
    fileprivate func joined(
        _ separator: String, sign: String, escape: (String) -> String = { $0.escapedPart }
    ) -> String {
        map { part in (part.name.map { escape($0) + sign } ?? "") + escape(part.text) }.joined(separator: separator)
    }
}

extension String {
    /// This text with all characters escaped except the unreserved ones.
    fileprivate var escapedPart: String { percentEncoded(allowing: .unreservedCharacters) }

    /// Creates the JSON text of a value; `nil` for a value that cannot be encoded.
    fileprivate init?(json value: some Encodable) {
        guard let data = try? FastJSONEncoder.openAPI.encode(value) else { return nil }
        self.init(decoding: data, as: UTF8.self)
    }
}

// MARK: Query

extension URLQuery {
    /// Appends a text whose reserved characters are not escaped, except those that end an item. `nil` appends nothing.
    public mutating func append<Value: QueryValueConvertible>(_ name: String, reserved value: Value?) {
        guard let text = value?.queryValue.text else { return }
        let allowed = Set<UInt8>.unreservedCharacters.union(":/?@!$'()*,;".utf8)
        append(name, QueryValue.escaped(text.percentEncoded(allowing: allowed, keepingEscapes: true)))
    }

    /// Appends an array, an object, or another value that is not one text. `nil`, an empty array and an object without
    /// members append nothing.
    ///
    /// - Parameters:
    ///   - name: The name of the parameter.
    ///   - value: The value; `nil` appends nothing.
    ///   - style: The style; in `form`, each member of an object is an item, or one for each element of its array.
    ///   - explode: Whether the parts are separate items.
    public mutating func append(
        _ name: String, encoding value: (some Encodable)?, style: ParameterStyle = .form, explode: Bool = true
    ) {
        guard let value else { return }
        guard let json = try? JSONValue(encoding: value, encoder: .openAPI) else {
            // The query keeps the reason, and fails the request when it is built.
            return append(contentsOf: URLQuery(encoding: value))
        }
        switch json {
        case .object where style == .deepObject, .array where style == .deepObject: append(nested: name, json)
        case .object(let members) where explode:
            for (key, member) in members.sorted(by: { $0.key < $1.key }) {
                if case .array = member, !member.hasNestedParts {
                    append(key, encoding: member)
                } else {
                    append(nested: key, member)
                }
            }
        case .array(let elements) where explode: for element in elements { append(name, element.parameterText) }
        case .array, .object:
            let parts = json.parameterParts
            // An empty list is undefined in RFC 6570, section 2.3, and an empty text is not.
            guard !parts.isEmpty else { return }
            let separator = style == .spaceDelimited ? "%20" : style == .pipeDelimited ? "%7C" : ","
            append(name, QueryValue.escaped(parts.joined(separator, sign: separator)))
        case .null, .bool, .number, .string: append(name, json.parameterText)
        }
    }

    /// Appends a value as a JSON text. `nil` appends nothing.
    public mutating func append(_ name: String, json value: (some Encodable)?) {
        guard let value else { return }
        guard let text = String(json: value) else { return append(contentsOf: URLQuery(encoding: value)) }
        append(name, text)
    }

    /// Creates the fields of a form from the members of an object.
    ///
    /// - Parameters:
    ///   - value: The object.
    ///   - styles: The styles of members that are written in one field, or with brackets. Others have the name once for
    ///     each element.
    ///   - names: The members that are JSON texts.
    public init(encoding value: some Encodable, styles: [String: ParameterStyle], json names: Set<String> = []) {
        self.init()
        guard case .object(let members)? = try? JSONValue(encoding: value, encoder: .openAPI) else {
            self = URLQuery(encoding: value)
            return
        }
        for (name, member) in members.sorted(by: { $0.key < $1.key }) where member != .null {
            if names.contains(name) {
                append(name, json: member)
            } else if case .object = member, styles[name] == nil {
                append(nested: name, member)
            } else {
                append(name, encoding: member, style: styles[name] ?? .form, explode: styles[name] == nil)
            }
        }
    }

    /// Creates the fields of a form from the members of an object, each in the style `deepObject`.
    public init(deepObject value: some Encodable) {
        self.init()
        guard case .object(let members)? = try? JSONValue(encoding: value, encoder: .openAPI) else {
            self = URLQuery(encoding: value)
            return
        }
        for (name, member) in members.sorted(by: { $0.key < $1.key }) { append(nested: name, member) }
    }

    private mutating func append(nested name: String, _ value: JSONValue) {
        switch value {
        case .object(let members):
            for (key, member) in members.sorted(by: { $0.key < $1.key }) { append(nested: "\(name)[\(key)]", member) }
        case .array(let elements):
            // With `[]` alone, a server cannot tell the members of one object from those of the next.
            for (index, element) in elements.enumerated() {
                append(nested: value.hasNestedParts ? "\(name)[\(index)]" : "\(name)[]", element)
            }
        case .null: break
        case .bool, .number, .string: append(name, value.parameterText)
        }
    }
}

// MARK: Header fields

extension HeaderFields {
    /// Sets a field to a value in the style `simple`, or adds it to the cookies if the field is `Cookie`. `nil`, an
    /// empty array and an object without members keep the field. A value that cannot be encoded, such as a number that
    /// is not finite, fails the request with `invalidHeaderField`.
    public mutating func append(_ name: String, encoding value: (some Encodable)?, explode: Bool = false) {
        guard let value else { return }
        let parts = ParameterPart.parts(of: value)
        if parts?.isEmpty == true { return }
        let text = parts?.joined(",", sign: explode ? "=" : ",", escape: { $0 }) ?? Self.refusedValue
        if name.lowercased() == "cookie" { append(cookie: text) } else { self[name] = text }
    }

    /// Sets a field to a JSON text. `nil` keeps it. A value that cannot be encoded fails the request with
    /// `invalidHeaderField`.
    public mutating func append(_ name: String, json value: (some Encodable)?) {
        guard let value else { return }
        self[name] = String(json: value) ?? Self.refusedValue
    }

    /// A value that no field may have, so that the request fails when it is built: a list of fields keeps no error.
    private static var refusedValue: String { "\0" }

    /// Adds a cookie with an array, an object or another value. `nil`, an empty array and an object without members add
    /// nothing. A value that cannot be encoded fails the request with `invalidHeaderField`.
    ///
    /// - Parameters:
    ///   - name: The name of the parameter.
    ///   - value: The value.
    ///   - style: The style; in `form`, the parts are escaped and form one cookie.
    ///   - explode: Whether each part has a name.
    public mutating func append(
        cookie name: String, encoding value: (some Encodable)?, style: ParameterStyle = .form, explode: Bool = true
    ) {
        guard let value else { return }
        guard var parts = ParameterPart.parts(of: value) else { return append(cookie: Self.refusedValue) }
        guard !parts.isEmpty else { return }
        let escape: (String) -> String = { style == .cookie ? $0 : $0.escapedPart }
        var cookie = "\(name)=\(parts.joined(",", sign: ",", escape: escape))"
        if explode {
            parts = parts.map { ParameterPart(name: $0.name ?? name, text: $0.text) }
            cookie = parts.joined(style == .cookie ? "; " : "&", sign: "=", escape: escape)
        }
        append(cookie: cookie)
    }

    /// Adds a cookie with a JSON text, in which all characters are escaped except the unreserved ones. `nil` adds
    /// nothing. A value that cannot be encoded fails the request with `invalidHeaderField`.
    public mutating func append(cookie name: String, json value: (some Encodable)?) {
        guard let value else { return }
        append(cookie: String(json: value).map { "\(name)=\($0.escapedPart)" } ?? Self.refusedValue)
    }

    private mutating func append(cookie: String) {
        self["Cookie"] = (self["Cookie"].map { "\($0); " } ?? "") + cookie
    }
}

// MARK: Path

extension RequestPath.StringInterpolation {
    /// Appends a value in one of OpenAPI's styles.
    public mutating func appendInterpolation(
        encoding value: some Encodable, style: ParameterStyle = .simple, name: String = "", explode: Bool = false,
        as placeholder: StaticString = ""
    ) {
        var piece = Self(literalCapacity: 0, interpolationCount: 0)
        piece.append(value, style, name, explode)
        appendInterpolation(RequestPath(stringInterpolation: piece), as: placeholder)
    }

    private mutating func append(
        _ value: some Encodable, _ style: ParameterStyle, _ name: String, _ explode: Bool
    ) {
        let separator = explode ? (style == .label ? "." : style == .matrix ? ";" : ",") : ","
        if style == .label { append(pieceText: ".") }
        if style == .matrix { append(pieceText: ";") }
        // An empty segment fails the request, and so does a value that cannot be encoded.
        let parts = ParameterPart.parts(of: value) ?? []
        if style == .matrix, parts == [ParameterPart(text: "")] { return append(pieceText: name) }
        if parts.isEmpty { appendInterpolation("") }
        for (index, part) in parts.enumerated() {
            if index > 0 { append(pieceText: separator) }
            if style == .matrix, explode ? part.name == nil : index == 0 { append(pieceText: "\(name)=") }
            if let member = part.name {
                appendInterpolation(member)
                append(pieceText: explode ? "=" : separator)
            }
            appendInterpolation(part.text)
        }
    }
}

extension JSONValue {
    fileprivate var parameterParts: [ParameterPart] {
        switch self {
        case .object(let members):
            members.filter { $0.value != .null }.sorted { $0.key < $1.key }
                .map { ParameterPart(name: $0.key, text: $0.value.parameterText) }
        case .array(let elements): elements.map { ParameterPart(text: $0.parameterText) }
        case .null, .bool, .number, .string: [ParameterPart(text: parameterText)]
        }
    }

    /// Whether this is an array with objects or arrays.
    fileprivate var hasNestedParts: Bool {
        guard case .array(let elements) = self else { return false }
        return elements.contains { element in
            switch element {
            case .object, .array: true
            case .null, .bool, .number, .string: false
            }
        }
    }

    /// The text of a value without parts.
    var parameterText: String {
        switch self {
        case .null: ""
        case .bool(let value): "\(value)"
        case .number(let number): number.description
        case .string(let text): text
        case .array, .object: String(json: self) ?? ""
        }
    }
}
