/// Why a document is not JSON, and where.
struct JSONSyntaxError: Error {
    enum Reason: String {
        case empty = "the document is empty"
        case endsEarly = "it ends too early"
        case expectedValue = "expected a value"
        case expectedKey = "expected a key in quotes"
        case expectedColon = "expected a colon after a key"
        case expectedCommaOrBracket = "expected a comma or a closing bracket"
        case expectedCommaOrBrace = "expected a comma or a closing brace"
        case expectedEnd = "expected the end of the document"
        case invalidNumber = "invalid number"
        case invalidEscape = "invalid escape sequence"
        case controlCharacter = "a control character in a string is not escaped"
        case loneSurrogate = "an escaped surrogate has no counterpart"
        case invalidUTF8 = "invalid UTF-8"
        case invalidEncoding = "invalid UTF-16 or UTF-32"
        case tooDeep = "too many nested arrays and objects"
        case numberTooLong = "a number has more than 4096 characters"
        case tooManyMembers = "an array or object has too many elements"
        case tooManyValues = "the document has too many values"
        case documentTooLong = "the document has 4 GiB or more"
    }

    let reason: Reason
    /// In bytes from the start of the document.
    let offset: Int
}
