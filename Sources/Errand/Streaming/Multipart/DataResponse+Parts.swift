extension DataResponse {
    /// Returns the parts of a multipart body that is in memory.
    ///
    /// ```swift
    /// let ranges = try response.decodeParts().map { ($0.headers.contentRange, $0.data) }
    /// ```
    ///
    /// - Throws: ``ErrandError`` with `unacceptableContentType` for a body of another type, with `decodingFailed` for a
    ///   malformed body or one that ends before its last boundary, or with `elementTooLarge` for a part with more than
    ///   64 KiB of header fields.
    public func decodeParts() throws(ErrandError) -> [BodyPart] {
        do throws(ErrandError) {
            var parser = MultipartParser(boundary: nil, maximumSize: .max)
            try parser.begin(self)
            parser.append(data)
            var parts: [BodyPart] = []
            while let part = try parser.next() { parts.append(part) }
            _ = try parser.finish()
            return parts
        } catch {
            throw error.with(response: self)
        }
    }
}

extension Pipeline where Output == DataResponse {
    /// Returns the parts of a multipart body, as ``DataResponse/decodeParts()`` does.
    public func decodeParts() -> Pipeline<[BodyPart], any Error> {
        decoding { try $0.decodeParts() }
    }
}
