/// Everything that is written: one client.
struct ClientModel {
    /// What the user of the generator chooses.
    struct Options {
        var module = "API"
        /// The name of the API's class without `API`; by default that of the title.
        var name: String?
        var prefix = ""
        var access = "public"
        /// Swift names by pointers.
        var names: [String: String] = [:]
        /// The types of formats.
        var formats: [String: ChosenType] = [:]
        /// The types of schemas, by the names of components and by pointers.
        var types: [String: ChosenType] = [:]
        /// The preferred media types of bodies.
        var media: [String] = []
        /// The schemas whose enumerations are Swift enums.
        var closed: Set<String> = []
        /// The pages of lists, by operation identifiers and pointers.
        var pages: [String: PageChoice] = [:]
        var filter = DocumentFilter()

        /// The access before a declaration, with a space; empty for `internal`.
        var accessText: String { access == "internal" ? "" : access + " " }
    }

    struct Credential {
        let scheme: SecurityScheme
        let name: String
    }

    let document: APIDocument
    let options: Options
    /// `LibraryAPI`.
    let className: String
    /// The name of the class, if it is written.
    var classNames: Set<String> { options.filter.isTypesOnly ? [] : [className] }
    /// `library`.
    let serviceName: String
    let types: TypeBuilder
    let requests: [RequestModel]
    let servers: [NamedServer]
    let credentials: [Credential]
    /// The type of most error documents.
    let errorType: SwiftType?
    let names: TypeNames
    /// The bodies of webhooks, by their names.
    let webhooks: [(name: String, type: SwiftType)]

    /// Builds the model of a document. Nothing is written.
    init(_ document: APIDocument, _ options: Options) {
        self.document = document
        self.options = options
        let plainName = options.name.map { SwiftName.type($0) } ?? Self.apiName(document.title)
        let name = options.prefix + plainName
        className = name + (ReservedNames.types.contains(name + "API") ? "ClientAPI" : "API")
        serviceName = SwiftName.member(name)
        let components = document.schemas
        let resolver = SchemaResolver(document.reader, components: components, formats: options.formats)
        types = TypeBuilder(resolver, document)
        let chosen = ChosenTypes(types, document)
        chosen.set(options.types)
        var roots: [SwiftType] = []
        for component in components.sorted(by: { $0.key < $1.key }) where options.filter.chooses(schema: component.key)
        {
            roots.append(.declared(types.declare(document.reader.schemas[component.value], named: component.key)))
        }
        options.filter.check(document.names, document.reader.diagnostics)
        let operations = document.operations
        let builder = RequestBuilder(document, types, media: options.media)
        var requests = builder.requests(operations)
        ErrorDocuments(types).add(to: &requests)
        var bodies: Set<[String: SwiftType]> = []
        // A webhook can have several methods, with one body or several.
        webhooks = builder.events(document.webhooks.sorted { ($0.path, $0.method) < ($1.path, $1.method) })
            .filter { bodies.insert([$0.name: $0.type]).inserted }
        let callbacks = builder.events(operations.flatMap(\.callbacks))
        types.complete()
        Cycles(types.declarations).mark(document.reader)
        PageBuilder(types, document, options.pages).setPages(of: &requests)
        for index in requests.indices {
            requests[index].streamFlag = types.streamFlag(of: requests[index])
        }
        errorType = Self.mostFrequent(requests.compactMap(\.errorType))
        Self.markDirections(types, requests, (webhooks + callbacks).map(\.type))
        Self.moveShared(types, requests, errorType)
        chosen.checkFormats(Set(options.formats.keys))
        roots += requests.flatMap { $0.sentTypes + $0.receivedTypes } + (webhooks + callbacks).map(\.type)
        chosen.markWritten(roots)
        let contents = (document.servers.isEmpty ? [] : ["Server"]) + (webhooks.isEmpty ? [] : ["Webhook"])
        Naming(types, module: options.module, prefix: options.prefix, names: options.names)
            .assign(
                to: &requests, api: options.filter.isTypesOnly ? nil : className,
                contents: options.filter.isTypesOnly ? [] : Set(contents))
        self.requests = requests
        names = TypeNames(types, requests, module: options.module, api: className)
        servers = Self.named(document.servers)
        if let server = document.servers.first, let path = server.relativePath {
            let message = "the server is relative; give the service a base URL that ends with \(path)"
            document.reader.report(.note, .server, message, server.node)
        }
        for scheme in document.securitySchemes {
            guard case .mutualTLS = scheme.kind else { continue }
            let message = "client certificates belong to the transport of a service, not to its credentials"
            document.reader.report(.note, .security, message, scheme.node)
        }
        Self.checkPointers(of: options, document)
        var scope = NameScope(reserved: ["server"])
        credentials = document.securitySchemes.sorted { $0.key < $1.key }.map {
            Credential(scheme: $0, name: scope.unique(SwiftName.member($0.key)))
        }
    }

    /// Reports pointers of the configuration that lead nowhere.
    private static func checkPointers(of options: Options, _ document: APIDocument) {
        for pointer in Set(options.names.keys).union(options.closed).sorted()
        where document.root.walk(pointer).missing != nil {
            document.reader.report(
                .warning, .configuration, "the configuration names \"\(pointer)\", which does not exist", document.root)
        }
    }

    /// The title without words that every API has.
    private static func apiName(_ title: String) -> String {
        let plain = title.split(separator: "(").first.map(String.init) ?? title
        let common: Set<String> = [
            "api", "apis", "openapi", "rest", "restful", "specification", "spec", "http", "the", "open", "public",
        ]
        let words = plain.split { !$0.isLetter && !$0.isNumber && !"'’".contains($0) }.map(String.init)
        let kept = words.filter { word in
            !common.contains(word.lowercased()) && word.contains { $0.isLetter }
                && !(word.hasPrefix("v") && Int(word.dropFirst()) != nil)
        }
        let name = SwiftName.type(kept.prefix(3).joined(separator: " "))
        return name == "Empty" || name.isEmpty ? "Client" : name
    }

    private static func mostFrequent(_ types: [SwiftType]) -> SwiftType? {
        var counts: [SwiftType: Int] = [:]
        for type in types { counts[type, default: 0] += 1 }
        let largest = counts.values.max()
        return types.first { counts[$0] == largest }
    }

    /// Marks what is sent and what is received.
    private static func markDirections(_ types: TypeBuilder, _ requests: [RequestModel], _ events: [SwiftType]) {
        func mark(_ type: SwiftType, _ flag: ReferenceWritableKeyPath<Declaration, Bool>) {
            var pending = type.declarations
            while let id = pending.popLast() {
                let declaration = types.declarations[id]
                guard !declaration[keyPath: flag] else { continue }
                declaration[keyPath: flag] = true
                pending += declaration.parts.flatMap(\.declarations)
            }
        }
        for request in requests {
            for type in request.sentTypes { mark(type, \.isSent) }
            for type in request.receivedTypes { mark(type, \.isReceived) }
        }
        for type in events { mark(type, \.isReceived) }
    }

    /// Moves the types of a request that something else uses too to the module.
    ///
    /// - Parameter errorType: The type that the API's class uses. If its request is deprecated, its use would be a
    ///   warning there.
    private static func moveShared(_ types: TypeBuilder, _ requests: [RequestModel], _ errorType: SwiftType?) {
        func request(of declaration: Declaration) -> Int? {
            var owner = declaration.owner
            while case .declaration(let id) = owner { owner = types.declarations[id].owner }
            if case .request(let index) = owner { return index }
            return nil
        }
        var users: [Int: Set<Int?>] = [:]
        for declaration in types.declarations {
            let user = request(of: declaration)
            for id in declaration.parts.flatMap(\.declarations) { users[id, default: []].insert(user) }
        }
        for request in requests {
            for id in (request.sentTypes + request.receivedTypes).flatMap(\.declarations) {
                users[id, default: []].insert(request.index)
            }
        }
        let deprecated = Set(requests.filter(\.operation.isDeprecated).map(\.index))
        func parts(of declaration: Declaration) -> [Declaration] {
            declaration.parts.flatMap(\.declarations).map { types.declarations[$0] }
        }
        func isDeprecated(_ declaration: Declaration) -> Bool {
            request(of: declaration).map(deprecated.contains) ?? false
        }
        let shared = types.declarations.filter { declaration in
            guard let owner = request(of: declaration) else { return false }
            return users[declaration.id]?.contains { $0 != owner } ?? false
        }
        var pending = shared.filter(isDeprecated).flatMap(parts)
        pending += (errorType?.declarations ?? []).map { types.declarations[$0] }
        for declaration in shared { declaration.owner = .module }
        while let declaration = pending.popLast() {
            guard isDeprecated(declaration) else { continue }
            declaration.owner = .module
            pending += parts(of: declaration)
        }
    }
}
