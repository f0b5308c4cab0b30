extension DataResponse {
    /// The parts of a multipart body that is in memory.
    ///
    /// ```swift
    /// let ranges = try response.decodeParts().map { ($0.headers.contentRange, $0.data) }
    /// ```
    ///
    /// - Throws: ``ErrandError`` with `unacceptableContentType` for a body of another type, and with `decodingFailed` for one that is
    ///   malformed, or ends before its last boundary.
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
    /// The parts of a multipart body, as ``DataResponse/decodeParts()`` gives them.
    public func decodeParts() -> Pipeline<[BodyPart], any Error> {
        decoding { try $0.decodeParts() }
    }
}
