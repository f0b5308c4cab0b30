/// A parameter of an operation.
struct Parameter {
    enum Location: String {
        case path
        case query
        case header
        case cookie
        case querystring
    }

    enum Style: String {
        case matrix
        case label
        case form
        case simple
        case spaceDelimited
        case pipeDelimited
        case deepObject
        case cookie
    }

    let node: Node
    let name: String
    let location: Location
    let isRequired: Bool
    let isDeprecated: Bool
    let description: String?
    let style: Style
    let explode: Bool
    let allowsReserved: Bool
    let schema: Schema?
    /// The media type of the value, if it is not in one of the styles.
    let content: MediaType?

    /// The header fields that OpenAPI sets by other means, and that parameters cannot set.
    private static let otherFields: Set<String> = ["accept", "content-type", "authorization"]

    /// The location and the name, in lowercase for a header field. Two parameters with the same key are one.
    var key: [String] { [location == .header ? name.lowercased() : name, location.rawValue] }

    static func all(of node: Node, _ reader: DocumentReader) -> [Parameter] {
        var parameters: [Parameter] = []
        var keys: Set<[String]> = []
        for element in reader.elements(node, "parameters") {
            guard let target = reader.target(of: element), let parameter = Parameter(target, reader) else { continue }
            guard keys.insert(parameter.key).inserted else {
                let message = "the parameter \"\(parameter.name)\" occurs twice; the first one is used"
                reader.report(.warning, .parameter, message, element)
                continue
            }
            parameters.append(parameter)
        }
        return parameters
    }

    private init?(_ node: Node, _ reader: DocumentReader) {
        guard reader.check(node, .parameter), let name = reader.requiredText(node, "name", of: "the parameter"),
            let place = reader.requiredText(node, "in", of: "the parameter")
        else { return nil }
        guard let location = Location(rawValue: place) else {
            reader.report(.error, .parameter, "\"\(place)\" is not a place for a parameter", node["in"] ?? node)
            return nil
        }
        if location == .header, Self.otherFields.contains(name.lowercased()) {
            let message = "the parameter \"\(name)\" is ignored, as OpenAPI demands: body and security set this field"
            reader.report(.note, .parameter, message, node)
            return nil
        }
        if location == .header, !name.isToken {
            let message = "the parameter \"\(name)\" is ignored: it is not a valid name of a header field"
            reader.report(.warning, .parameter, message, node["name"] ?? node)
            return nil
        }
        self.node = node
        self.name = name
        self.location = location
        isRequired = location == .path || reader.bool(node, "required") == true
        isDeprecated = reader.bool(node, "deprecated") ?? false
        description = reader.text(node, "description")
        let isForm = location == .query || location == .cookie || location == .querystring
        let given = reader.text(node, "style")
        if let given, Style(rawValue: given) == nil {
            reader.report(.error, .parameter, "\"\(given)\" is not a style of parameters", node["style"] ?? node)
        }
        style = given.flatMap(Style.init) ?? (isForm ? .form : .simple)
        explode = reader.bool(node, "explode") ?? (style == .form || style == .cookie || style == .deepObject)
        allowsReserved = reader.bool(node, "allowReserved") ?? false
        schema = node["schema"].map { reader.schemas[$0] }
        content = MediaType.all(of: node, reader).first
        if schema == nil, content == nil {
            reader.report(.warning, .parameter, "the parameter \"\(name)\" has no schema; it is a string", node)
        }
    }
}

extension String {
    /// Whether this is a token, as the name of a header field must be (RFC 9110, section 5.6.2).
    var isToken: Bool {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        let allowed = "!#$%&'*+-.^_`|~0123456789" + letters
        return !isEmpty && unicodeScalars.allSatisfy(allowed.unicodeScalars.contains)
    }
}
