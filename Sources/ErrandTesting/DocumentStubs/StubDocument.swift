import Errand

/// The part of an OpenAPI document that the stubs of its API need: operations with their responses, and the schemas of
/// what requests send.
///
/// The command `errand-openapi` writes it, together with the type that conforms to ``DocumentStubs``.
public struct StubDocument: Sendable {
    /// A parameter of operations.
    struct Parameter: Decodable, Sendable {
        let name: String
        /// `path`, `query`, `header` or `cookie`.
        let `in`: String
        var required: Bool?
        /// The style, if it is not the usual one of the place.
        var style: String?
        /// Whether the elements of an array are separate items; by default only in a query.
        var explode: Bool?
        /// The schema; `nil` if the document has none.
        var schema: JSONValue?
        /// Whether the value is a JSON text.
        var json: Bool?
    }

    /// A body of requests.
    struct Body: Decodable, Sendable {
        struct Content: Decodable, Sendable {
            /// The media type, which can have wildcards.
            let type: String
            /// The place of the media type; `nil` if it follows from that of the body.
            var pointer: String?
            var schema: JSONValue?
        }

        var required: Bool?
        let content: [Content]
    }

    /// A response of operations.
    struct Response: Decodable, Sendable {
        /// A body in one media type.
        struct Content: Decodable, Sendable {
            let type: String
            /// The body as JSON.
            var value: JSONValue?
            /// The body as a text.
            var text: String?
            /// The body in Base64.
            var base64: String?

            var data: Data {
                if let value { return Data(value.description.utf8) }
                return base64.flatMap { Data(base64Encoded: $0) } ?? Data((text ?? "").utf8)
            }
        }

        var headers: [String: String]?
        /// The first one is the default.
        var content: [Content]?
    }

    private struct Parts: Decodable {
        var basePath: String?
        let operations: [String: DocumentOperation]
        let parameters: [String: Parameter]
        let bodies: [String: Body]
        let responses: [String: Response]
        let schemas: [String: JSONValue]
    }

    /// The operations by their names in Swift.
    let operations: [String: DocumentOperation]
    /// The parameters by their pointers in the document, as are the bodies and the schemas.
    let parameters: [String: Parameter]
    let bodies: [String: Body]
    let schemas: [String: JSONValue]
    /// The responses by their names in `operations`.
    let responses: [String: Response]
    /// The path of the first server, which is before the paths of operations.
    let basePath: String

    /// Reads what the generator wrote. Another text is a programming error.
    public init(_ json: String) {
        let parts: Parts
        do {
            parts = try FastJSONDecoder().decode(Parts.self, from: json)
        } catch {
            preconditionFailure("the stubs of the document were changed after they were generated: \(error)")
        }
        operations = parts.operations
        (parameters, bodies) = (parts.parameters, parts.bodies)
        (responses, schemas) = (parts.responses, parts.schemas)
        basePath = parts.basePath ?? ""
    }

    /// Whether a request is for an operation, whose method and template it matches.
    ///
    /// Of several operations that match, those with the most literal segments count, as OpenAPI demands, and those
    /// whose templates have a query. Some documents have operations with one route; of these, one counts that the
    /// request fits.
    ///
    /// - Parameters:
    ///   - path: The encoded path after the base path.
    ///   - isPeer: Whether an operation has the same base path. Operations of other servers have other paths.
    ///   - fits: Whether the request has what an operation demands.
    func isFor(
        _ name: String, _ method: RequestMethod, _ path: Substring, _ items: [URLQueryItem],
        isPeer: (DocumentOperation) -> Bool, fits: (DocumentOperation) -> Bool
    ) -> Bool {
        let segments = OperationPath.segments(of: path)
        let matches = operations.filter { _, operation in
            operation.method == method && isPeer(operation) && operation.path.parameters(of: segments) != nil
                && operation.path.items.allSatisfy { item in
                    items.contains { $0.name == item.name && $0.value ?? "" == item.value ?? "" }
                }
        }
        guard let operation = matches[name] else { return false }
        let others = matches.filter { $0.key != name && !operation.path.ranks(before: $0.value.path) }.values
        guard !others.contains(where: { $0.path.ranks(before: operation.path) }) else { return false }
        return others.isEmpty || fits(operation) || !others.contains(where: fits)
    }
}

/// An operation of a document.
struct DocumentOperation: Decodable, Sendable {
    let method: RequestMethod
    let path: OperationPath
    /// `#/paths/~1books/get`.
    let pointer: String
    /// The path of the operation's own server; `nil` for that of the document.
    let basePath: String?
    /// The pointers of its parameters.
    let parameters: [String]
    /// The pointer of its body.
    let body: String?
    /// The names of its responses, by status: `200`, `4XX` or `default`.
    let responses: [String: String]
    /// How its list is requested page by page.
    let pages: DocumentPages?

    private enum CodingKeys: String, CodingKey {
        case route, pointer, basePath, parameters, body, responses, pages
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let route = try container.decode(String.self, forKey: .route).split(separator: " ", maxSplits: 1)
        let (name, template) = (String(route.first ?? ""), route.count > 1 ? String(route[1]) : "/")
        method = RequestMethod(rawValue: name)
        path = OperationPath(template)
        let pointer =
            try container.decodeIfPresent(String.self, forKey: .pointer)
            ?? "#/paths/\(template.pointerToken)/\(name.lowercased())"
        self.pointer = pointer
        func absolute(_ part: String) -> String { part.contains("#") ? part : "\(pointer)/\(part)" }
        basePath = try container.decodeIfPresent(String.self, forKey: .basePath)
        parameters = (try container.decodeIfPresent([String].self, forKey: .parameters) ?? []).map(absolute)
        body = try container.decodeIfPresent(String.self, forKey: .body).map(absolute)
        responses = try container.decode([String: String].self, forKey: .responses)
        pages = try container.decodeIfPresent(DocumentPages.self, forKey: .pages)
    }
}

/// The pages of a list. A stub has one page, so that a loop over the pages ends.
struct DocumentPages: Decodable, Sendable {
    /// The query parameter for the number, the offset or the cursor.
    let parameter: String
    /// The number of the first page; `nil` if any value is one of a later page.
    let first: Int?
    /// The members that lead to the items; empty for a response that is the list.
    let items: [String]

    /// Returns a response without its items, for a request of a page after the first one.
    func page(_ value: JSONValue, for request: MockRequest) -> JSONValue {
        guard let text = request.queryItems.first(where: { $0.name == parameter })?.value else { return value }
        return first.map { Int(text) ?? $0 <= $0 } == true ? value : value.emptied(items[...])
    }
}

extension JSONValue {
    /// This value without the elements of the array to which members lead.
    fileprivate func emptied(_ path: ArraySlice<String>) -> JSONValue {
        guard let name = path.first else { return array == nil ? self : [] }
        guard case .object(var members) = self, let member = members[name] else { return self }
        members[name] = member.emptied(path.dropFirst())
        return .object(members)
    }
}
