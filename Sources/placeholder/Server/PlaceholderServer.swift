import Errand
import ErrandMockServer
import ErrandTesting

/// The embedded server: the complete API over HTTP on the loopback, with data in memory that requests can change.
final class PlaceholderServer: Sendable {
    /// The base URL: `http://127.0.0.1:PORT`.
    var url: URL { server.url }

    /// The HTTP server, which also records the requests.
    let server: MockServer
    private let store: Store
    private let gate = TokenGate()
    private let outage = Outage()
    private let files = FileShelf()
    private let feed = ChangeFeed()

    /// Loads the fixtures and serves them until ``stop()``.
    ///
    /// - Parameter port: The port, or 0 for a free one.
    init(port: UInt16 = 0) throws {
        server = try MockServer(port: port)
        store = try Store()
        addRoutes()
    }

    func stop() {
        server.stop()
    }

    private func addRoutes() {
        serve(.get, "/:kind") { store, request in
            try await .page(store.members(of: request.kind, matching: request.queryItems), for: request)
        }
        serve(.get, "/:kind/:id") { store, request in
            try await .document(store.member(of: request.kind, id: request.id))
        }
        serve(.get, "/:kind/:id/:children") { store, request in
            try await .page(
                store.children(request.childKind, of: request.kind, id: request.id, matching: request.queryItems),
                for: request)
        }
        serve(.post, "/:kind") { store, request in
            let (member, id) = try await store.add(request.object, to: request.kind)
            return try .document(member).with(statusCode: 201).with(header: "Location", "/\(request.kind)/\(id)")
        }
        serve(.put, "/:kind/:id") { store, request in
            try await .document(store.replace(request.id, of: request.kind, with: request.object))
        }
        serve(.patch, "/:kind/:id") { store, request in
            try await .document(store.change(request.id, of: request.kind, by: request.object))
        }
        serve(.delete, "/:kind/:id") { store, request in
            try await store.remove(request.id, of: request.kind)
            return try .document(JSONValue.object([:]))
        }
        serve(.get, "/events") { [feed] _, request in
            await feed.watch(after: request.headers["Last-Event-ID"])
        }
        addAccount()
        serve(.get, "/files/:name") { [files] _, request in try await files.response(to: request) }
        serve(.put, "/files/:name") { [files] _, request in await files.store(request) }
        addChat()
        server.onAny { request in
            try Problem(404, "\(request.method) \(request.path) leads nowhere: try GET /users").response
        }
    }

    /// Routes that are not collections: an account that needs a token, and a resource that fails in turn.
    private func addAccount() {
        serve(.post, "/tokens") { [gate] _, request in
            let credentials = try? FastJSONDecoder().decode(Credentials.self, from: request.body)
            return try await .document(gate.issue(to: credentials)).with(statusCode: 201)
        }
        serve(.get, "/me") { [gate] store, request in
            let callsLeft = try await gate.admit(request.headers["Authorization"])
            let user = try await store.member(of: .users, id: 1)
            return try .document(user).with(header: "Token-Calls-Left", "\(callsLeft)")
        }
        serve(.get, "/flaky") { [outage] store, _ in
            if let failure = try await outage.next() { return failure }
            return try await .document(store.member(of: .users, id: 1))
        }
    }

    /// Responds with the result of `handler`, or with the ``Problem`` that it throws.
    private func serve(
        _ method: RequestMethod, _ pattern: String,
        handler: @escaping @Sendable (Store, MockRequest) async throws -> MockResponse
    ) {
        server.on(method, pattern) { [store, feed] request in
            do {
                let response = try await handler(store, request)
                await feed.note(request, answeredWith: response)
                return response.validated(for: request)
            } catch let problem as Problem {
                return try problem.response
            }
        }
    }
}

extension MockResponse {
    /// A value as JSON with sorted keys.
    fileprivate static func document(_ value: some Encodable) throws -> MockResponse {
        let encoder = FastJSONEncoder(formatting: [.sortedKeys, .withoutEscapingSlashes])
        return try .json(encodable: value, encoder: encoder)
    }

    /// The response to a query. A page has the total number of members and a link to the next page (RFC 8288).
    fileprivate static func page(_ extract: Extract, for request: MockRequest) throws -> MockResponse {
        var response = try document(extract.members)
        if let total = extract.total { response.headers["X-Total-Count"] = "\(total)" }
        if let next = extract.nextPage {
            let items =
                request.queryItems.filter { $0.name != "_page" } + [URLQueryItem(name: "_page", value: "\(next)")]
            var components = URLComponents()
            components.path = request.path
            components.queryItems = items
            response.headers["Link"] = "<\(components.string ?? request.path)>; rel=\"next\""
        }
        return response
    }

    /// This response for caches: fresh for two seconds, with a validator, and 304 if the client has it.
    fileprivate func validated(for request: MockRequest) -> MockResponse {
        guard request.method == .get, statusCode == 200, request.headers["Authorization"] == nil,
            case .sized(let bytes) = body
        else { return self }
        let tag = FileDigest(.sha256, of: bytes).entityTag
        let isKnown = request.headers["If-None-Match"] == tag
        var response = isKnown ? MockResponse.status(304) : self
        response.headers["ETag"] = tag
        response.headers["Cache-Control"] = "max-age=2, stale-if-error=86400"
        return response
    }
}

/// The values that routes read from a request. Each throws a ``Problem`` if it is missing.
extension MockRequest {
    fileprivate var kind: ResourceKind { get throws { try kind(of: "kind") } }
    fileprivate var childKind: ResourceKind { get throws { try kind(of: "children") } }

    fileprivate var id: Int {
        get throws {
            let text = parameters["id", default: ""]
            guard let id = Int(text) else { throw Problem(404, "An id is a whole number, and \"\(text)\" is none.") }
            return id
        }
    }

    fileprivate var object: JSONValue.Object {
        get throws {
            guard let object = try? FastJSONDecoder().decode(JSONValue.Object.self, from: body) else {
                throw Problem(400, "The body must be a JSON object.")
            }
            return object
        }
    }

    private func kind(of parameter: String) throws -> ResourceKind {
        let text = parameters[parameter, default: ""]
        guard let kind = ResourceKind(rawValue: text) else {
            let known = ResourceKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(404, "There is no collection \"\(text)\", only \(known).")
        }
        return kind
    }
}
