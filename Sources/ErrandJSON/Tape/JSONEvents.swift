/// A part of a JSON document, for a reader that builds its own tree.
package enum JSONEvent {
    case null
    case bool(Bool)
    /// A number as the document has it.
    case number(String)
    case string(String)
    case key(String)
    case beginArray
    case beginObject
    /// The end of the innermost array or object.
    case end
}

/// The reason why a document is not JSON, and the number of bytes before the invalid place.
package struct JSONReadingError: Error {
    package let reason: String
    package let offset: Int
}

/// Reads a JSON document in UTF-8 and calls `receive` for each of its parts, with the number of bytes before it. For
/// the end of an array or object, that is the number of bytes before the token that follows, or of the whole document.
///
/// - Parameter depth: The maximum depth of nested arrays and objects.
package func readJSONEvents(
    of document: UnsafeBufferPointer<UInt8>, depth: Int, _ receive: (JSONEvent, Int) -> Void
) throws(JSONReadingError) {
    let tokenizer: JSONTokenizer
    do throws(JSONSyntaxError) {
        tokenizer = try JSONTokenizer.tokens(of: document, depth: depth)
    } catch {
        throw JSONReadingError(reason: error.reason.rawValue, offset: error.offset)
    }
    defer { tokenizer.release() }
    let tape = tokenizer.tape
    // The arrays and objects around the next token, each with the index of the token after it.
    var open: [(end: Int, isObject: Bool)] = []
    var index = 0
    var expectsKey = false
    while true {
        if let container = open.last, index == container.end {
            open.removeLast()
            expectsKey = open.last?.isObject == true
            receive(.end, index < tokenizer.count ? tape.offset(of: index) : tape.end)
            continue
        }
        guard index < tokenizer.count else { return }
        let token = tape[index]
        let offset = tape.offset(of: index)
        if expectsKey {
            receive(.key(tape.string(at: index)), offset)
            index = tape.next(after: index)
            expectsKey = false
            continue
        }
        switch token.kind {
        case .null: receive(.null, offset)
        case .false: receive(.bool(false), offset)
        case .true: receive(.bool(true), offset)
        case .number: receive(.number(tape.string(at: index)), offset)
        case .string, .text, .offset: receive(.string(tape.string(at: index)), offset)
        case .array, .object:
            let isObject = token.kind == .object
            open.append((token.high, isObject))
            receive(isObject ? .beginObject : .beginArray, offset)
            index = tape.firstChild(of: index)
            expectsKey = isObject
            continue
        }
        index = tape.next(after: index)
        expectsKey = open.last?.isObject == true
    }
}
