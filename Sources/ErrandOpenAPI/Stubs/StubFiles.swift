/// Writes the stubs of an API for tests and previews: a type with a stub for each operation, and what the stubs know of
/// the document.
struct StubFiles {
    private let client: ClientModel
    private let access: String
    /// `BulletinStubs`.
    private let typeName: String

    /// The types of ErrandTesting that an API could hide.
    private static let used: Set<String> = ["RouteStubs", "DocumentStubs"]

    init(_ client: ClientModel) {
        self.client = client
        access = client.options.accessText
        let name = "\(client.className.dropLast("API".count))Stubs"
        typeName = Self.used.contains(name) ? "\(client.className)Stubs" : name
    }

    /// The texts of all files by their paths.
    func files() -> [String: String] {
        guard !client.options.filter.isTypesOnly else { return [:] }
        var scope = NameScope(reserved: ["stubs", "document", "operation", "callAsFunction"])
        let names = client.requests.map { scope.unique(SwiftName.member($0.name.bare)) }
        let statuses = StatusNames(client.requests)
        return [
            "\(typeName).swift": file { writer in
                writeProperty(&writer)
                writer.line()
                write(names, statuses, &writer)
            },
            "\(typeName)+Document.swift": file { writer in
                writer.block("nonisolated extension \(typeName)") { writer in
                    writer.documentation("What the document says about the operations.")
                    let document = StubData(client, Samples(client.types)).document(names.map(\.bare))
                    write(document, &writer)
                }
            },
        ]
    }

    private func file(_ write: (inout CodeWriter) -> Void) -> String {
        var writer = CodeWriter()
        write(&writer)
        return ClientWriter.head + "\(access)import ErrandTesting\n\n" + writer.text
    }

    private func write(_ document: Node, _ writer: inout CodeWriter) {
        let lines = DataWriter(width: CodeWriter.width - 12).lines(of: document)
        let signs = lines.joined().rawLiteral.prefix { $0 == "#" }
        writer.line("\(access)static let document = StubDocument(")
        writer.indented { writer in
            writer.line("\(signs)\"\"\"")
            for line in lines { writer.line(line) }
            writer.line("\"\"\"\(signs))")
        }
    }

    private func writeProperty(_ writer: inout CodeWriter) {
        let name = client.className.dropLast("API".count)
        writer.block("nonisolated extension RouteStubs") { writer in
            writer.documentation(
                "The stubs of \(name): `onX()` stubs all operations, and `onX.operation()` one of them."
                    .replacing("onX", with: "on\(name)"))
            writer.short("\(access)var on\(name): \(typeName)", "\(typeName)(stubs: self)")
        }
    }

    private func write(_ names: [String], _ statuses: StatusNames, _ writer: inout CodeWriter) {
        let title = [client.document.title, client.document.version].filter { !$0.isEmpty }.joined(separator: " ")
        writer.documentation(
            "The stubs of the operations of \(title.split(whereSeparator: \.isNewline).joined(separator: " ")).")
        writer.block("\(access)nonisolated struct \(typeName): DocumentStubs") { writer in
            writer.line("\(access)let stubs: RouteStubs")
            for (name, request) in zip(names, client.requests).sorted(by: { $0.0.bare < $1.0.bare }) {
                writer.line()
                writer.documentation("`\(request.operation.method) \(request.operation.shownPath)`")
                writer.short(
                    "\(access)var \(name): OperationStub<\(statuses.name(of: request))>",
                    "operation(\(name.bare.swiftLiteral))")
            }
            for list in statuses.lists {
                writer.line()
                writer.documentation("The responses with \(list.cases.map(\.status).joined(separator: ", ")).")
                writer.block("\(access)enum \(list.name): String, StubStatus") { writer in
                    for item in list.cases { writer.line("case \(item.name) = \(item.status.swiftLiteral)") }
                }
            }
        }
    }
}

/// The enumerations of the responses of operations. Operations with the same statuses share one.
private struct StatusNames {
    struct List {
        let name: String
        let cases: [(name: String, status: String)]
    }

    private(set) var lists: [List] = []
    private var names: [[String]: String] = [:]

    init(_ requests: [RequestModel]) {
        var scope = NameScope(reserved: ["RouteStubs", "StubDocument", "OperationStub", "StubStatus", "String"])
        for request in requests.sorted(by: { $0.name < $1.name }) {
            let statuses = Self.statuses(of: request)
            guard names[statuses] == nil else { continue }
            var members = NameScope()
            let cases = statuses.map {
                (name: members.unique(SwiftName.member(Response.caseName(ofStatus: $0))), status: $0)
            }
            let name = cases.count <= 3 ? cases.map(\.name.bare).joined(separator: "-or-") : request.name + "-status"
            let unique = scope.unique(SwiftName.type(name))
            names[statuses] = unique
            lists.append(List(name: unique, cases: cases))
        }
        lists.sort { $0.name < $1.name }
    }

    func name(of request: RequestModel) -> String { names[Self.statuses(of: request)] ?? "" }

    /// The statuses of the responses that end a request, with those of successes first. Without a success, `default` is
    /// first, even if the document has no such response.
    private static func statuses(of request: RequestModel) -> [String] {
        let all = Set(request.operation.responses.map(\.status)).filter { !$0.hasPrefix("1") }.sorted()
        let successes = all.filter { $0.hasPrefix("2") }
        let first = successes.isEmpty ? ["default"] : successes
        return first + all.filter { !first.contains($0) }
    }
}
