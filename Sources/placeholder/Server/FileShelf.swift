import Errand
import ErrandTesting

/// The files of the embedded server: one from the start, and those that are uploaded. It serves ranges of bytes
/// (RFC 9110, section 14), and each response has digests (RFC 9530).
actor FileShelf {
    private var files: [String: Data]

    /// The file that exists from the start has a number on each line.
    init() {
        let numbers = (1...50_000).map { "\($0)\n" }.joined()
        files = ["numbers.txt": Data(numbers.utf8)]
    }

    /// Responds with a file or a part of it.
    func response(to request: MockRequest) throws -> MockResponse {
        let name = request.parameters["name", default: ""]
        guard let file = files[name] else {
            throw Problem(404, "There is no file \"\(name)\", only \(files.keys.sorted().joined(separator: ", ")).")
        }
        let digest = FileDigest(.sha256, of: file)
        let part = request.part(of: file.count, tag: digest.entityTag)
        if let part, part.isEmpty { return .status(416).with(header: "Content-Range", "bytes */\(file.count)") }
        let content = part.map { Data(file[$0]) } ?? file
        var response = MockResponse.data(content, contentType: "application/octet-stream")
        if let part {
            response.statusCode = 206
            response.headers["Content-Range"] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.count)"
            response.headers["Content-Digest"] = FileDigest(.sha256, of: content).field
        }
        response.headers["Accept-Ranges"] = "bytes"
        return response.with(headers: digest.fields)
    }

    /// Adds or replaces a file.
    func store(_ request: MockRequest) -> MockResponse {
        let earlier = files.updateValue(request.body, forKey: request.parameters["name", default: ""])
        return .status(earlier == nil ? 201 : 204, headers: FileDigest(.sha256, of: request.body).fields)
    }
}

extension MockRequest {
    /// The requested part of a file, which is empty if the file ends before it; `nil` for the complete file. If several
    /// ranges are requested, the server sends the complete file, which is allowed.
    fileprivate func part(of size: Int, tag: String) -> Range<Int>? {
        guard let ranges = headers.byteRanges, ranges.count == 1, [nil, tag].contains(headers["If-Range"]) else {
            return nil
        }
        let (first, end): (Int64, Int64) =
            switch ranges[0] {
            case .bytes(let bytes): (bytes.lowerBound, min(bytes.upperBound + 1, Int64(size)))
            case .from(let first): (first, Int64(size))
            case .last(let count): (max(0, Int64(size) - count), Int64(size))
            }
        return Int(first)..<Int(max(first, end))
    }
}

extension FileDigest {
    /// A validator of content with this digest, in the format of `ETag`.
    var entityTag: String { "\"\(bytes.prefix(8).base64EncodedString())\"" }

    /// The digest in the format of `Repr-Digest` and `Content-Digest`.
    fileprivate var field: String { "\(algorithm.rawValue)=:\(bytes.base64EncodedString()):" }

    /// The fields of a response for a file with this digest.
    fileprivate var fields: HeaderFields { ["ETag": entityTag, "Repr-Digest": field] }
}
