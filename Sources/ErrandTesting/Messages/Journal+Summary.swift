import Errand

extension Journal {
    /// The requests so far, for an error message.
    package var summary: String {
        let requests = requests
        return requests.isEmpty ? "no requests so far" : "requests so far:\n\(Self.list(requests))"
    }

    /// Returns one line for each request. Query values are omitted, because they may be secret or long.
    package static func list(_ requests: [MockRequest]) -> String {
        let lines = requests.prefix(shownRequests).map { request in
            let names = request.queryItems.map(\.name).joined(separator: "&")
            return "  \(request.method) \(request.path)\(names.isEmpty ? "" : "?\(names)")"
        }
        let more = requests.count > shownRequests ? ["  … \(requests.count - shownRequests) more"] : []
        return (lines + more).joined(separator: "\n")
    }

    private static let shownRequests = 20
}
