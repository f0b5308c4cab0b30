import Foundation

@testable import Errand

/// Returns the elements that a parser reads from a body in pieces, and the error that ends it.
func parsed<Parser: PieceParser>(
    _ parser: Parser, _ pieces: [Data]
) -> (elements: [Parser.Element], failure: ErrandError.Code?) {
    var parser = parser
    var elements: [Parser.Element] = []
    do {
        for piece in pieces {
            parser.append(piece)
            while let element = try parser.next() { elements.append(element) }
        }
        if let element = try parser.finish() { elements.append(element) }
        return (elements, nil)
    } catch {
        return (elements, error.code)
    }
}
