/// What a request calls, by the names of the API. Logs, metrics and limits use it in place of the URL, which differs
/// with each value.
package struct CalledOperation: Sendable {
    /// The type of the leaf or of the struct request; `nil` for an endpoint without one.
    let type: Any.Type?
    /// The base URL and the path of the request; `nil` if a complete URL replaces them.
    var target: (base: URL?, path: RequestPath)?

    /// The name of the type.
    var name: String? { type.map { String(describing: $0) } }

    /// The path of the base URL, and after it the template of the path. It contains no value and no query.
    var template: String? {
        guard let target, let path = target.path.template else { return nil }
        let base = target.base?.path(percentEncoded: true) ?? ""
        let start = base.hasSuffix("/") ? String(base.dropLast()) : base
        if path.isEmpty { return base.isEmpty ? "/" : base }
        return path.hasPrefix("/") ? start + path : "\(start)/\(path)"
    }
}
