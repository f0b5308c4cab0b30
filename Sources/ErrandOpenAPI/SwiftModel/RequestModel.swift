/// A class of generated code that sends one request.
struct RequestModel {
    /// One value that the initializer of a request takes.
    struct Parameter {
        enum Purpose {
            /// A placeholder of the path.
            case path(style: ErrandOpenAPI.Parameter.Style, explode: Bool)
            /// - `reserved`: whether reserved characters are not escaped.
            case query(style: ErrandOpenAPI.Parameter.Style, explode: Bool, reserved: Bool)
            /// JSON in a query item, a header field or a cookie.
            case json(ErrandOpenAPI.Parameter.Location)
            case header(explode: Bool)
            case cookie(style: ErrandOpenAPI.Parameter.Style, explode: Bool)
            case body
            /// A part of a multipart form.
            /// - `types`: the media type if that is given, or several ones for an upload.
            /// - `isText`: whether a value that is one text is sent as it is, and not as JSON.
            case part(types: [String], isText: Bool)
            /// A header field of the parts with a name. Its value is in the style `simple`, or JSON.
            case partHeader(String, part: String, explode: Bool, isJSON: Bool)
        }

        let jsonName: String
        let type: SwiftType
        let isRequired: Bool
        let purpose: Purpose
        /// The only value, which is the default of the parameter.
        let constant: Node?
        let documentation: [String]
        var name = ""
    }

    enum Body {
        case json(type: String)
        /// A JSON text for each element of an array.
        case jsonLines(type: String)
        case form(FormFields)
        case multipart
        case text(type: String)
        case binary(type: String)
    }

    /// How a form writes arrays and objects.
    enum FormFields {
        /// The name once for each element.
        case repeated
        /// With brackets for elements and members of all fields.
        case brackets
        /// Each field in its own style, or as JSON.
        case styles([(name: String, style: ErrandOpenAPI.Parameter.Style)], json: [String])
    }

    enum Output {
        case void
        case value(SwiftType)
        /// A value, or none for a response without a body.
        case optional(SwiftType)
        case text
        case data
        /// One case for each status.
        case cases([OutputCase])
    }

    struct OutputCase {
        let status: String
        let name: String
        let output: CaseOutput
    }

    enum CaseOutput: Hashable {
        case void
        case value(SwiftType)
        case text
        case data
    }

    enum Stream {
        /// Server-sent events, and the type of their decoded data; `nil` for the events as they are.
        case events(SwiftType?)
        case lines(SwiftType)
        case parts([ResponsePart])
        case bytes
    }

    /// A part of a multipart response that the document describes.
    struct ResponsePart {
        let name: String
        let mediaType: String
        let schema: Schema
        /// The type of its JSON; `nil` for a text or bytes.
        let type: SwiftType?
    }

    /// A header field of a successful response.
    struct ResponseField {
        let header: Header
        let type: SwiftType
        let name: String
    }

    let index: Int
    let operation: Operation
    /// The path without a query or a fragment, which some documents use to tell operations apart.
    let path: String
    /// The items of the query that the path in the document has.
    let fixedItems: [(name: String, value: String)]
    let wantedName: String
    /// The folder of its file: its tag.
    let folder: String
    var parameters: [Parameter] = []
    var body: Body?
    /// The media type of a form that is not the usual one, or has parameters.
    var contentType: String?
    var output = Output.void
    var stream: Stream?
    /// The name of the property of the body that asks for a stream, in JSON.
    var streamFlag: String?
    /// The media types that are read, if they are not those of the class.
    var accept: String?
    /// The media type of the stream, if the response is read in both ways.
    var streamAccept: String?
    /// The alternatives, if they are not those of the class.
    var security: [SecurityAlternative]?
    /// The URL of its server, if it is not that of the class.
    var serverURL: String?
    /// How its list is requested page by page; `nil` if it has no pages.
    var pages: PageModel?
    /// The header fields of successful responses; none if all of them are text.
    var responseFields: [ResponseField] = []
    /// The types of error documents.
    var errorType: SwiftType?
    var documentation: [String] = []
    /// The name in Swift.
    var name = ""
}

extension RequestModel {
    /// The names of the types in its class that are not declarations.
    var ownTypes: [String] {
        var names = responseFields.isEmpty ? [] : ["ResponseFields"]
        if case .cases = output { names.append("Response") }
        return names
    }

    var sentTypes: [SwiftType] { parameters.map(\.type) }

    /// The types of the bodies of responses: of successes, of a stream's elements, and of error documents.
    var receivedTypes: [SwiftType] {
        var types: [SwiftType] = []
        switch output {
        case .void, .text, .data: break
        case .value(let type), .optional(let type): types.append(type)
        case .cases(let cases): for case .value(let type) in cases.map(\.output) { types.append(type) }
        }
        switch stream {
        case .events(let type?), .lines(let type): types.append(type)
        case .parts(let parts): types += parts.compactMap(\.type)
        case .events(nil), .bytes, nil: break
        }
        types += responseFields.map(\.type)
        if let errorType { types.append(errorType) }
        return types
    }

    /// The parameters in the path, by their names.
    var pathParameters: [String: Parameter] {
        let list = parameters.filter { if case .path = $0.purpose { true } else { false } }
        return Dictionary(list.map { ($0.jsonName, $0) }) { first, _ in first }
    }

    /// The parameter that is the whole body.
    var bodyParameter: Parameter? { parameters.first { if case .body = $0.purpose { true } else { false } } }

    /// The parameter of a body with a flag that asks for a stream.
    var streamedBody: Parameter? { streamFlag == nil ? nil : bodyParameter }

    /// Whether the response is only read while it arrives.
    var isOnlyStream: Bool {
        switch stream {
        case nil, .bytes: false
        case .events, .lines, .parts: if case .void = output { true } else { false }
        }
    }
}

extension RequestModel.Parameter {
    /// Creates a parameter of the type that a schema has. One that is required has its only value as the default,
    /// unless it can be null: null is not sent.
    init(_ jsonName: String, _ use: TypeUse, isRequired: Bool, _ purpose: Purpose, _ documentation: [String]) {
        let isRequired = isRequired && !use.isNullable
        self.init(
            jsonName: jsonName, type: use.type, isRequired: isRequired, purpose: purpose,
            constant: isRequired ? use.constant : nil, documentation: documentation)
    }

    var hasDefault: Bool { !isRequired || constant != nil }

    var isPart: Bool { if case .part = purpose { true } else { false } }

    /// The name of the part that this is a header field of.
    var part: String? { if case .partHeader(_, let part, _, _) = purpose { part } else { nil } }
}
