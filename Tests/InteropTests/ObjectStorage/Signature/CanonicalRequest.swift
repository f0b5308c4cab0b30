import Errand

/// A request as both sides write it down before they sign it (AWS, "Create a signed AWS API request", step 1).
struct CanonicalRequest {
    /// The names of the fields that are signed, in small letters and in order, with semicolons between them.
    let signedFields: String
    /// The lines.
    let text: String

    /// - Parameter payload: What stands for the body: its digest, or that it has none.
    init(_ request: URLRequest, payload: String) {
        let components = request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
        var fields = (request.allHTTPHeaderFields ?? [:]).map { (name: $0.key.lowercased(), value: $0.value) }
            .filter { !Self.unsignedFields.contains($0.name) }
        if let host = components?.hostField, !fields.contains(where: { $0.name == "host" }) {
            fields.append(("host", host))
        }
        fields.sort { $0.name < $1.name }
        signedFields = fields.map(\.name).joined(separator: ";")
        let lines =
            [request.httpMethod ?? "GET", components?.canonicalPath ?? "/", components?.canonicalQuery ?? ""]
            + fields.map { "\($0.name):\($0.value.withSingleSpaces)" } + ["", signedFields, payload]
        text = lines.joined(separator: "\n")
    }

    /// What transports and proxies may set or change on the way.
    private static let unsignedFields: Set = [
        "accept-encoding", "authorization", "connection", "content-length", "expect", "te", "trailer",
        "transfer-encoding", "upgrade", "user-agent",
    ]
}

extension URLComponents {
    /// `Host` as it will be sent: without the port that the scheme implies.
    fileprivate var hostField: String? {
        let implied = scheme?.lowercased() == "https" ? 443 : 80
        return percentEncodedHost.map { host in port.flatMap { $0 == implied ? nil : "\(host):\($0)" } ?? host }
    }

    /// The path as it is sent. Nothing in it is tidied up: to a store, `a//b` is a key.
    fileprivate var canonicalPath: String {
        percentEncodedPath.isEmpty ? "/" : percentEncodedPath.escapedOnce(keeping: "/")
    }

    /// The items by name and then by value, each with an equals sign.
    fileprivate var canonicalQuery: String {
        let items = (percentEncodedQuery ?? "").split(separator: "&").map { item in
            let halves = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return (name: halves[0].escapedOnce(), value: halves.count > 1 ? halves[1].escapedOnce() : "")
        }
        return items.sorted { $0 < $1 }.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }
}

extension String {
    /// This text with everything escaped but the unreserved characters (RFC 3986, section 2.3), once: what is escaped
    /// already is not escaped again.
    fileprivate func escapedOnce(keeping others: String = "") -> String {
        let plain = removingPercentEncoding ?? self
        let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
        return plain.addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: unreserved + others))
            ?? plain
    }

    /// This text without spaces around it, and with one for each run of them.
    fileprivate var withSingleSpaces: String { split(separator: " ").joined(separator: " ") }
}
