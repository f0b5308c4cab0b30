import Errand

/// The answer that an entry makes: whole, or as it is read.
struct Replay {
    private let entry: HAR.Entry
    /// What the entry is called in an error.
    private let name: String

    init(_ entry: HAR.Entry, name: String) {
        self.entry = entry
        self.name = name
    }

    /// - Throws: What the request failed with when it was recorded; `notRecorded` where its body was not kept.
    func answer(streamed: Bool) throws(ErrandError) -> DataResponse {
        let content = entry.response.content
        // In HAR, 0 stands for a request without a response. Every other status is replayed, also one above 599.
        guard entry.response.status != 0 else { throw failure ?? Self.noAnswer }
        guard let data = content.data else {
            throw ErrandError(.notRecorded, reason: "\(name) has no body, which had \(content.size) bytes")
        }
        let url = entry.response.url.flatMap { URL(string: $0) }
        let end = end
        if streamed {
            return DataResponse(
                statusCode: entry.response.status, headers: headers, url: url, body: Self.body(data, end: end))
        }
        if let end { throw end }
        return DataResponse(statusCode: entry.response.status, headers: headers, data: data, url: url)
    }

    /// The fields as HTTP/1.1 has them: those of HTTP/2 that begin with a colon are part of the first line there.
    private var headers: HeaderFields {
        HeaderFields(
            entry.response.headers.filter { !$0.name.hasPrefix(":") }.map { HeaderFields.Field($0.name, $0.value) })
    }

    private var failure: ErrandError? {
        entry.error.map { ErrandError(transportFailure: URLError(URLError.Code(rawValue: $0.code) ?? .unknown)) }
    }

    /// What a browser notes of a request that was blocked, or that nobody answered.
    private static var noAnswer: ErrandError { ErrandError(transportFailure: URLError(.unknown)) }

    /// What the body ends with; nil where it is whole.
    private var end: ErrandError? {
        switch entry.response.content.cut {
        case nil: failure
        case .failed: failure ?? Self.noAnswer
        case .released:
            ErrandError(.notRecorded, reason: "the body of \(name) was recorded no further than it was read")
        case .limit: ErrandError(.notRecorded, reason: "the body of \(name) is longer than what is recorded of one")
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
