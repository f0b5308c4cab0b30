/// Finds the types of error documents: one for each status of an operation, or one for all.
struct ErrorDocuments {
    /// The schema of the documents of a status.
    private struct Entry {
        let response: Response
        let schema: Schema
        /// The schema without references, which is the same for equal schemas of one operation.
        let target: Schema
    }

    /// The operations that share an enumeration.
    private struct Group {
        var entries: [Entry]
        var requests: [Int]

        /// Whether another operation can have the same cases: no status has two schemas. A range would be narrowed by
        /// the statuses of another operation, so the statuses are equal then.
        func accepts(_ others: [Entry]) -> Bool {
            let known = Dictionary(entries.map { ($0.response.status, $0.target) }) { first, _ in first }
            guard others.allSatisfy({ known[$0.response.status] ?? $0.target == $0.target }) else { return false }
            let areExact = (entries + others).allSatisfy { Int($0.response.status) != nil }
            return areExact || Set(others.map(\.response.status)) == Set(known.keys)
        }

        mutating func add(_ others: [Entry], of request: Int) {
            let known = Set(entries.map(\.response.status))
            entries += others.filter { !known.contains($0.response.status) }
            requests.append(request)
        }
    }

    private let types: TypeBuilder
    private var reader: DocumentReader { types.reader }

    init(_ types: TypeBuilder) {
        self.types = types
    }

    /// Sets the types of the error documents of requests.
    func add(to requests: inout [RequestModel]) {
        var groups: [Group] = []
        var indices: [[String]: [Int]] = [:]
        for index in requests.indices {
            let entries = entries(of: requests[index].operation)
            guard let first = entries.first else { continue }
            guard Set(entries.map(\.target)).count > 1 else {
                requests[index].errorType =
                    types.use(first.schema, named: "errorDocument", in: .request(requests[index].index)).type
                continue
            }
            let names = names(of: entries) ?? ["#\(index)"]
            if let known = indices[names]?.first(where: { groups[$0].accepts(entries) }) {
                groups[known].add(entries, of: index)
            } else {
                indices[names, default: []].append(groups.count)
                groups.append(Group(entries: entries, requests: [index]))
            }
        }
        for group in groups { declare(group, &requests) }
    }

    /// The names of the different schemas, sorted; `nil` if operations with the same ones do not share their type.
    private func names(of entries: [Entry]) -> [String]? {
        let names = Set(entries.compactMap(\.schema.referencedName)).sorted()
        let isNamed = entries.allSatisfy { $0.schema.referencedName != nil }
        return isNamed && names.count == Set(entries.map(\.target)).count && names.count <= 3 ? names : nil
    }

    /// Declares the enumeration of a group: in its only request, or in the module, named after its documents.
    private func declare(_ group: Group, _ requests: inout [RequestModel]) {
        let first = requests[group.requests[0]]
        let isShared = group.requests.count > 1
        let owner = isShared ? Declaration.Owner.module : .request(first.index)
        var known: [Schema: SwiftType] = [:]
        let documents = group.entries.sorted { $0.response.status < $1.response.status }.map { entry in
            let name = "\(entry.response.caseName)-document"
            let type = known[entry.target] ?? types.use(entry.schema, named: name, in: owner).type
            known[entry.target] = type
            return Declaration.ErrorDocument(status: entry.response.status, type: type)
        }
        let name = isShared ? (names(of: group.entries) ?? []).joined(separator: "-or-") : "errorDocument"
        let node = first.operation.node["responses"] ?? first.operation.node
        let type = types.declare(documents, like: node, named: name, in: owner)
        for request in group.requests { requests[request].errorType = type }
    }

    // MARK: Documents

    /// The documents in JSON, by status. The default response is one of errors if there are others for successes.
    private func entries(of operation: Operation) -> [Entry] {
        let hasSuccess = operation.responses.contains(where: \.isSuccess)
        var entries: [Entry] = []
        for response in operation.responses where response.isFailure || response.isDefault && hasSuccess {
            let json = response.content.first(where: \.isJSON)
            guard let content = json ?? response.content.first(where: types.resolver.isJSON) else {
                noteUnread(response.content, of: response)
                continue
            }
            noteUnread(response.content.filter { $0.type != content.type }, of: response)
            guard let schema = content.schema, !entries.contains(where: { $0.response.status == response.status })
            else { continue }
            let target = reader.schemas.target(of: schema) ?? schema
            // Two components are two types, even if they are equal.
            let equal = entries.first { schema.referencedName == nil && $0.schema.node.isEqual(to: schema.node) }
            entries.append(
                Entry(response: response, schema: schema, target: equal?.target ?? target))
        }
        return entries
    }

    /// Notes the forms of an error document that are not read, if they have members.
    private func noteUnread(_ content: [MediaType], of response: Response) {
        let unread = content.filter { $0.schema.map { types.resolver.resolveReferences($0).isStructured } ?? false }
        guard !unread.isEmpty else { return }
        let list = unread.map(\.type).joined(separator: ", ")
        reader.report(.note, .response, "the error document is not read as \(list)", response.node)
    }
}

extension Response {
    /// The name of the case for this status: what the status is for (RFC 9110, section 15, and its registry).
    var caseName: String { Self.caseName(ofStatus: status) }

    static func caseName(ofStatus status: String) -> String { caseNames[status] ?? "status\(status)" }

    /// The status as a pattern of Swift; `nil` for the default response.
    static func pattern(ofStatus status: String) -> String? {
        guard let first = status.first?.wholeNumberValue else { return nil }
        return status.hasSuffix("XX") ? "\(first * 100)..<\(first * 100 + 100)" : status
    }

    private static let caseNames = [
        "200": "ok", "201": "created", "202": "accepted", "203": "nonAuthoritative", "204": "noContent",
        "205": "resetContent", "206": "partialContent", "207": "multiStatus", "2XX": "success", "default": "other",
        "400": "badRequest", "401": "unauthorized", "402": "paymentRequired", "403": "forbidden", "404": "notFound",
        "405": "methodNotAllowed", "406": "notAcceptable", "407": "proxyAuthenticationRequired",
        "408": "requestTimeout", "409": "conflict", "410": "gone", "411": "lengthRequired",
        "412": "preconditionFailed", "413": "contentTooLarge", "414": "uriTooLong", "415": "unsupportedMediaType",
        "416": "rangeNotSatisfiable", "417": "expectationFailed", "421": "misdirectedRequest",
        "422": "unprocessableContent", "423": "locked", "424": "failedDependency", "425": "tooEarly",
        "426": "upgradeRequired", "428": "preconditionRequired", "429": "tooManyRequests",
        "431": "headerFieldsTooLarge", "451": "unavailableForLegalReasons", "4XX": "clientError",
        "500": "internalServerError", "501": "notImplemented", "502": "badGateway", "503": "serviceUnavailable",
        "504": "gatewayTimeout", "505": "versionNotSupported", "507": "insufficientStorage", "508": "loopDetected",
        "511": "networkAuthenticationRequired", "5XX": "serverError",
    ]
}
