/// A parser of the complete parts of a multipart body.
struct PartCollector: PieceParser {
    private var parser: MultipartParser
    private let maximumSize: Int
    private var headers = HeaderFields()
    private var content = Data()

    /// - Parameters:
    ///   - boundary: The boundary; `nil` to use the one in the response.
    ///   - maximumSize: The maximum size of a part in bytes.
    init(boundary: String?, maximumSize: Int) {
        parser = MultipartParser(boundary: boundary)
        self.maximumSize = max(0, maximumSize)
    }

    mutating func begin(_ response: DataResponse) throws(ErrandError) {
        try parser.begin(response)
    }

    mutating func append(_ piece: Data) {
        parser.append(piece)
    }

    mutating func next() throws(ErrandError) -> BodyPart? {
        while let event = try parser.next() {
            if let part = try add(event) { return part }
        }
        return nil
    }

    mutating func finish() throws(ErrandError) -> BodyPart? {
        guard let event = try parser.finish() else { return nil }
        return try add(event)
    }

    /// Returns the part that an event completes, or `nil`.
    private mutating func add(_ event: MultipartParser.Event) throws(ErrandError) -> BodyPart? {
        switch event {
        case .head(let fields):
            headers = fields
            content = Data()
            return nil
        case .content(let piece):
            guard piece.count <= maximumSize - content.count else {
                throw ErrandError(.elementTooLarge, reason: "a part has more than \(maximumSize) bytes")
            }
            // The only piece needs no copy.
            if content.isEmpty { content = piece } else { content += piece }
            return nil
        case .end:
            // The parser does not keep the content of a part that was returned.
            defer { content = Data() }
            return BodyPart(headers: headers, data: content)
        }
    }
}
