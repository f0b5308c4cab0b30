/// What turns the pieces of a body into elements, with no regard to where one piece ends and the next begins.
///
/// It is pure: whoever leads it appends a piece, asks ``next()`` until that is nil, appends the next piece, and at the end
/// of the body asks ``finish()`` once.
protocol PieceParser<Element> {
    associatedtype Element

    /// Takes the response, before the first piece, where the body belongs to one. Does nothing by default.
    ///
    /// - Throws: For a body that cannot be parsed.
    mutating func begin(_ answer: DataResponse) throws(ErrandError)

    /// Takes one piece more.
    mutating func append(_ piece: Data)

    /// The next element that is whole; nil when there is none before the next piece.
    ///
    /// - Throws: For what ends the stream.
    mutating func next() throws(ErrandError) -> Element?

    /// What the end of the body makes an element of.
    mutating func finish() throws(ErrandError) -> Element?
}

extension PieceParser {
    mutating func begin(_ answer: DataResponse) throws(ErrandError) {}
}

/// Leads a parser through the pieces of a body.
struct ParsingIterator<Base: AsyncIteratorProtocol, Parser: PieceParser> where Base.Element == Data {
    /// Nil behind an error: letting go of it ends the transfer.
    private var base: Base?
    private var parser: Parser
    private var hasBegun = false
    private var hasEnded = false

    init(_ base: Base, _ parser: Parser) {
        self.base = base
        self.parser = parser
    }

    /// An error about an element, with what is known of the answer.
    func describing(_ error: ErrandError) -> ErrandError {
        (base as? any AnswerReading)?.answer.map { error.with(answer: $0) } ?? error
    }

    /// The next element; nil at the end, and for good after an error.
    mutating func next() async throws -> Parser.Element? {
        guard !hasEnded, var base else { return nil }
        do {
            while true {
                // What has come already is not read to somebody who has left.
                if Task.isCancelled { throw ErrandError(.cancelled) }
                if let element = try parser.next() { return element }
                let piece = try await base.next(isolation: #isolation)
                self.base = base
                try begin()
                guard let piece else {
                    hasEnded = true
                    return try parser.finish()
                }
                parser.append(piece)
            }
        } catch {
            self.base = nil
            throw (base as? any AnswerReading).describing(error)
        }
    }

    private mutating func begin() throws(ErrandError) {
        guard !hasBegun else { return }
        hasBegun = true
        if let answer = (base as? any AnswerReading)?.answer { try parser.begin(answer) }
    }
}
