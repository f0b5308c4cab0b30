import Errand
import ErrandMockServer
import ErrandTesting

/// The files of the embedded server: one from the start, and those that are uploaded. It serves ranges of bytes
/// (RFC 9110, section 14), and each response has digests (RFC 9530).
actor FileShelf {
    private struct File {
        var content: Data
        var digest: FileDigest

        init(_ content: Data) {
            self.content = content
            digest = FileDigest(.sha256, of: content)
        }

        var tag: String { "\"\(digest.bytes.prefix(8).base64EncodedString())\"" }
    }

    /// The file that exists from the start.
    static let sampleName = "numbers.txt"

    private var files: [String: File]

    init() {
        let numbers = (1...50_000).map { "\($0)\n" }.joined()
        files = [Self.sampleName: File(Data(numbers.utf8))]
    }

    nonisolated func addRoutes(to server: MockServer) {
        server.on(.get, "/files/:name") { [self] request in
            do {
                return try await response(to: request)
            } catch let problem as Problem {
                return try problem.response
            }
        }
        server.on(.put, "/files/:name") { [self] request in await store(request) }
    }

    private func response(to request: MockRequest) throws -> MockResponse {
        let name = request.parameters["name", default: ""]
        guard let file = files[name] else {
            throw Problem(404, "There is no file \"\(name)\", only \(files.keys.sorted().joined(separator: ", ")).")
        }
        var response: MockResponse
        switch ByteRange(request, of: file.content.count, tag: file.tag) {
        case .all:
            response = .data(file.content, contentType: "application/octet-stream")
        case .part(let range):
            let part = file.content[range]
            response = .data(Data(part), contentType: "application/octet-stream", statusCode: 206)
            response.headers["Content-Range"] =
                "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.content.count)"
            response.headers["Content-Digest"] = FileDigest(.sha256, of: Data(part)).field
        case .unsatisfiable:
            return .status(416).with(header: "Content-Range", "bytes */\(file.content.count)")
        }
        response.headers["ETag"] = file.tag
        response.headers["Accept-Ranges"] = "bytes"
        response.headers["Repr-Digest"] = file.digest.field
        return response
    }

    private func store(_ request: MockRequest) -> MockResponse {
        let name = request.parameters["name", default: ""]
        let isNew = files[name] == nil
        let file = File(request.body)
        files[name] = file
        return .status(isNew ? 201 : 204).with(header: "ETag", file.tag).with(header: "Repr-Digest", file.digest.field)
    }
}

/// The requested part of a file. For several ranges the server sends the complete file, which is allowed.
private enum ByteRange {
    case all
    case part(Range<Int>)
    case unsatisfiable

    init(_ request: MockRequest, of count: Int, tag: String) {
        guard let field = request.headers["Range"], field.hasPrefix("bytes="),
            request.headers["If-Range"].map({ $0 == tag }) ?? true
        else {
            self = .all
            return
        }
        let ends = field.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else {
            self = .all
            return
        }
        switch (Int(ends[0]), Int(ends[1])) {
        // A range whose last position is before its first is invalid (RFC 9110, section 14.1.1), and is ignored.
        case (let first?, let last) where ends[1].isEmpty || last.map { $0 >= first } ?? false:
            let end = last.map { min($0, count - 1) + 1 } ?? count
            self = first < end ? .part(first..<end) : .unsatisfiable
        case (nil, let length?) where ends[0].isEmpty && length > 0 && count > 0:
            self = .part(max(0, count - length)..<count)
        default:
            self = .all
        }
    }
}

extension FileDigest {
    /// The digest in the format of `Repr-Digest` and `Content-Digest`.
    fileprivate var field: String { "\(algorithm.rawValue)=:\(bytes.base64EncodedString()):" }
}
