import Errand

/// The parts of a request's URL, normalized for comparison.
struct RequestParts {
    private let components: URLComponents?

    init(_ request: HAR.Request) {
        components = URLComponents(lenient: request.url)
    }

    var origin: String {
        let scheme = (components?.scheme ?? "").lowercased()
        let host = (components?.percentEncodedHost ?? "").lowercased()
        let implied = scheme == "https" ? 443 : 80
        let port = components?.port.flatMap { $0 == implied ? nil : ":\($0)" } ?? ""
        return "\(scheme)://\(host)\(port)"
    }

    var path: String {
        let path = components?.percentEncodedPath ?? ""
        return path.isEmpty ? "/" : path
    }

    /// The items ordered by name; items with the same name keep their order.
    func query(ignoring names: Set<String>) -> [String] {
        Self.sorted(components?.percentEncodedQuery ?? "", plusIsSpace: false).filter { !names.contains($0.name) }
            .map(\.text)
    }

    /// Returns the decoded items of a query or form, ordered by name.
    static func sorted(_ encoded: String, plusIsSpace: Bool) -> [(name: String, text: String)] {
        encoded.split(separator: "&").map { item -> (name: String, text: String) in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { part in
                plusIsSpace ? part.formDecoded : part.removingPercentEncoding ?? String(part)
            }
            return (parts[0], parts.joined(separator: "="))
        }.inOrder { $0.name }
    }
}
