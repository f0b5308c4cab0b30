public import Errand

extension HAR {
    /// Reads a file.
    ///
    /// - Throws: `ErrandError` with `fileAccessFailed` if the file cannot be read, and with `invalidCassette`, which
    ///   names the invalid place, if it is not a HAR file.
    public init(contentsOf file: URL) throws(ErrandError) {
        let data: Data
        do {
            data = try Data(contentsOf: file)
        } catch {
            throw .file(file, "cannot be read", because: error)
        }
        do {
            try self.init(data)
        } catch {
            throw ErrandError(
                .invalidCassette, reason: "\(file.lastPathComponent) is not a HAR file: \(error.reason ?? "")")
        }
    }

    /// Decodes the content of a file.
    ///
    /// - Throws: `ErrandError` with `invalidCassette`, which names the invalid place, if it is not HAR.
    public init(_ data: Data) throws(ErrandError) {
        do {
            self = try FastJSONDecoder().value(HAR.self, from: data)
        } catch {
            throw ErrandError(.invalidCassette, reason: data.isEmpty ? "it is empty" : error.description)
        }
        for (index, entry) in log.entries.enumerated() {
            if entry.response.content.text != nil, entry.response.content.data == nil {
                throw Self.unreadable("log.entries[\(index)].response.content.text", entry.response.content.encoding)
            }
            if let body = entry.request.postData, body.text != nil, body.data == nil {
                throw Self.unreadable("log.entries[\(index)].request.postData.text", body.encoding)
            }
            guard URL(lenient: entry.request.url) != nil else {
                throw ErrandError(.invalidCassette, reason: "log.entries[\(index)].request.url is not a valid URL")
            }
        }
    }

    private static func unreadable(_ place: String, _ encoding: String?) -> ErrandError {
        let isKnown = encoding?.lowercased() == "base64"
        return ErrandError(
            .invalidCassette,
            reason: "\(place) \(isKnown ? "is not valid Base64" : "has an encoding other than base64")")
    }

    /// Encodes the content of a file. Keys are sorted and on separate lines, so that recordings can be compared.
    ///
    /// - Throws: `EncodingError` if a number is not finite.
    public func encoded() throws -> Data {
        let encoder = FastJSONEncoder(formatting: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
        return try encoder.encode(self) + Data("\n".utf8)
    }
}
