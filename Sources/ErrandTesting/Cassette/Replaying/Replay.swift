import Errand

/// The replayed response of an entry, buffered or streamed.
struct Replay {
    private let entry: HAR.Entry
    /// The name of the entry in errors.
    private let name: String

    init(_ entry: HAR.Entry, name: String) {
        self.entry = entry
        self.name = name
    }

    /// - Throws: The recorded failure of the request; `notRecorded` if the body was not stored.
    func response(streamed: Bool) throws(ErrandError) -> DataResponse {
        let content = entry.response.content
        // In HAR, the status 0 means that there was no response. All other statuses are replayed, also those above 599.
        guard entry.response.status != 0 else { throw failure ?? Self.noResponse }
        guard let data = content.data else {
            throw ErrandError(.notRecorded, reason: "the body of \(name), of \(content.size) bytes, was not recorded")
        }
        let url = entry.response.url.flatMap { URL(lenient: $0) }
        let end = end
        if streamed {
            return DataResponse(
                statusCode: entry.response.status, headers: headers, url: url, body: Self.body(data, end: end))
        }
        if let end { throw end }
        return DataResponse(statusCode: entry.response.status, headers: headers, data: data, url: url)
    }

    /// The header fields in the form of HTTP/1.1, without the pseudo-header fields of HTTP/2, whose names begin with a
    /// colon.
    private var headers: HeaderFields {
        HeaderFields(
            entry.response.headers.filter { !$0.name.hasPrefix(":") }.flatMap { pair in
                Self.values(of: pair).map { HeaderFields.Field(pair.name, $0) }
            })
    }

    /// Returns the values of an exported field. Browsers join the values of repeated fields with line feeds if a comma
    /// cannot join them, as for `Set-Cookie`. No value of a header field contains a line end (RFC 9110, section 5.5).
    private static func values(of pair: HAR.Pair) -> [String] {
        let lines = pair.value.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r" }
        guard lines.count > 1 else { return [pair.value] }
        let values = lines.map { String($0).trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        return values.isEmpty ? [""] : values
    }

    private var failure: ErrandError? {
        entry.error.map { ErrandError(transportFailure: URLError(URLError.Code(rawValue: $0.code) ?? .unknown)) }
    }

    /// The failure for an entry without a response and without an error, which browsers write for a blocked request.
    private static var noResponse: ErrandError { ErrandError(transportFailure: URLError(.unknown)) }

    /// The error at the end of the body; `nil` if the body is complete.
    private var end: ErrandError? {
        switch entry.response.content.cut {
        case nil: failure
        case .failed: failure ?? Self.noResponse
        case .released:
            ErrandError(.notRecorded, reason: "the body of \(name) was recorded only as far as it was read")
        case .limit:
            ErrandError(.notRecorded, reason: "the body of \(name) was cut at `maximumBodySize` when it was recorded")
        }
    }

    private static let pieceSize = 65_536

    private static func body(_ data: Data, end: ErrandError?) -> ResponseBody {
        let rest = Locked(data[...])
        return ResponseBody {
            if Task.isCancelled { throw ErrandError(.cancelled) }
            let piece = rest.withLock { rest in
                defer { rest = rest.dropFirst(pieceSize) }
                return Data(rest.prefix(pieceSize))
            }
            if !piece.isEmpty { return piece }
            if let end { throw end }
            return nil
        }
    }
}
