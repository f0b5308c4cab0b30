import Errand
import ErrandTesting

/// The embedded server: the whole API over real HTTP on the loopback, with data in memory that can be changed.
final class PlaceholderServer: Sendable {
    /// Where it is: `http://127.0.0.1:PORT`.
    var url: URL { server.url }

    private let server: MockServer
    private let store: Store

    /// Loads the fixtures and serves them until ``stop()``.
    init() throws {
        server = try MockServer()
        store = try Store()
        addRoutes()
    }

    func stop() {
        server.stop()
    }

    private func addRoutes() {
        serve(.get, "/:kind") { store, request in
            try await .json(store.members(of: request.kind, matching: request.queryItems))
        }
        serve(.get, "/:kind/:id") { store, request in
            try await .json(store.member(of: request.kind, id: request.id))
        }
        serve(.get, "/:kind/:id/:children") { store, request in
            try await .json(
                store.children(request.childKind, of: request.kind, id: request.id, matching: request.queryItems))
        }
        serve(.post, "/:kind") { store, request in
            let (member, id) = try await store.add(request.object, to: request.kind)
            return try .json(member).with(statusCode: 201).with(header: "Location", "/\(request.kind)/\(id)")
        }
        serve(.put, "/:kind/:id") { store, request in
            try await .json(store.replace(request.id, of: request.kind, with: request.object))
        }
        serve(.patch, "/:kind/:id") { store, request in
            try await .json(store.change(request.id, of: request.kind, by: request.object))
        }
        serve(.delete, "/:kind/:id") { store, request in
            try await store.remove(request.id, of: request.kind)
            return try .json(JSONValue.object([:]))
        }
        server.onAny { request in
            try Problem(404, "\(request.method) \(request.path) leads nowhere: try GET /users").response
        }
    }

    /// Answers with what `answer` gives, or with the ``Problem`` that it throws.
    private func serve(
        _ method: HTTPMethod, _ pattern: String,
        answer: @escaping @Sendable (Store, MockRequest) async throws -> MockResponse
    ) {
        server.on(method, pattern) { [store] request in
            do {
                return try await answer(store, request)
            } catch let problem as Problem {
                return try problem.response
            }
        }
    }
}

extension MockResponse {
    /// A value as JSON whose members are always in the same order.
    fileprivate static func json(_ value: some Encodable) throws -> MockResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try .json(encodable: value, encoder: encoder)
    }
}

/// What the routes read from a request; each throws a ``Problem`` where it is not there.
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
            guard let object = try? JSONDecoder().decode(JSONValue.Object.self, from: body) else {
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
