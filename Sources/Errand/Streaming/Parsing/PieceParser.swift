/// A parser that turns the pieces of a body into elements, wherever the body is split into pieces.
///
/// The parser does no I/O. The caller appends a piece and calls ``next()`` until it returns `nil`, then appends the
/// next piece. At the end of the body the caller calls ``finish()`` once.
protocol PieceParser<Element>: Sendable {
    associatedtype Element

    /// Reads the head of the response before the first piece, if the body belongs to a response. By default, does
    /// nothing.
    ///
    /// - Throws: ``ErrandError`` if the body cannot be parsed.
    mutating func begin(_ response: DataResponse) throws(ErrandError)

    /// Appends the next piece.
    mutating func append(_ piece: Data)

    /// Returns the next complete element; `nil` if the next piece is needed.
    ///
    /// - Throws: The error that ends the stream.
    mutating func next() throws(ErrandError) -> Element?

    /// Returns the element that the end of the body completes, or `nil`.
    mutating func finish() throws(ErrandError) -> Element?
}

extension PieceParser {
    mutating func begin(_ response: DataResponse) throws(ErrandError) {}
}

/// The elements that a parser reads from the pieces of a body.
struct ParsedSequence<Base: AsyncSequence & Sendable, Parser: PieceParser>: AsyncSequence, Sendable
where Base.Element == Data {
    let base: Base
    /// The parser of each iteration, in its initial state.
    let parser: Parser

    func makeAsyncIterator() -> ParsingIterator<Base.AsyncIterator, Parser> {
        ParsingIterator(base.makeAsyncIterator(), parser)
    }
}

/// An iterator that parses the pieces of a body.
struct ParsingIterator<Base: AsyncIteratorProtocol, Parser: PieceParser>: AsyncIteratorProtocol, ResponseReading
where Base.Element == Data {
    /// The iterator over the pieces; `nil` after an error. Releasing it ends the transfer.
    private var base: Base?
    private var parser: Parser
    /// Whether the parser was given the head of the response, or the base knows no response.
    private var hasBegun = false
    private var hasEnded = false

    init(_ base: Base, _ parser: Parser) {
        self.base = base
        self.parser = parser
    }

    /// The response whose body is parsed, if it is known.
    var response: DataResponse? { (base as? any ResponseReading)?.response }
    /// The conversion of errors into the API's own, if the base has one.
    var errorMapping: (@Sendable (any Error) -> any Error)? { (base as? any ResponseReading)?.errorMapping }

    /// Returns the next element; `nil` at the end, and always after an error.
    ///
    /// Without this method, the other `next()` would run outside the caller's actor, and each element would cost two
    /// thread switches.
    mutating func next(isolation actor: isolated (any Actor)?) async throws -> Parser.Element? {
        guard !hasEnded, var base else { return nil }
        do {
            while true {
                // A cancelled task gets no more elements, even those that were received before.
                if Task.isCancelled { throw ErrandError(.cancelled) }
                if let element = try parser.next() { return element }
                let piece = try await base.next(isolation: actor)
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
            // Adds the head of the response, if the base knows it, and applies the API's own conversion.
            throw (base as? any ResponseReading).describing(error)
        }
    }

    mutating func next() async throws -> Parser.Element? {
        try await next(isolation: #isolation)
    }

    /// Passes the head of the response to the parser. It is known after the first piece was requested.
    private mutating func begin() throws(ErrandError) {
        guard !hasBegun else { return }
        hasBegun = true
        if let response = (base as? any ResponseReading)?.response { try parser.begin(response) }
    }
}
