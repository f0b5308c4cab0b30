/// A difference between Errand's JSON coder and Foundation's: a row of the guide's table, whose first column is the raw
/// value.
enum Deviation: String, CaseIterable {
    // Syntax
    case commaBeforeBracket = "a comma before a closing bracket, `[1,]`"
    case damagedUTF16 = "UTF-16 or UTF-32 that is not valid or ends within a unit"
    case encodingByFirstCharacter = "UTF-16 without a byte order mark, whose second character is not ASCII"
    case unreadPart = "a document that is not JSON in a part that is not decoded"
    case syntaxBeforeMismatch = "a document that is not JSON and does not fit either"
    case limits =
        "a number of more than 4,096 characters, an array or object of more than 67 million elements, a document of 4 GiB"
    case json5 = "JSON5, `assumesTopLevelDictionary`"

    // Values
    case zeroWithExponent = "zero with an exponent, `0e1`, as `Double`, `Float` or `Date`"
    case pathOfNumber = "a number that does not fit its type"
    case pathOfISO8601 = "a string that is not a date in ISO 8601"
    case wholeNumber = "whole numbers with a fraction or an exponent, such as `1e20` for a 128-bit integer"
    case cutFraction = "a fraction for an integer, such as `1e-400` or `123456789012345678900e-4`"
    case null = "`null` as `Bool`, `URL`, `Data` or `Date`"
    case escapedURL =
        "a `URL` with an escape, and with a character that must be escaped, such as `/a%20b?c[d]`"
    case rawValue = "a string that is not a raw value of the enumeration"
    case ownError = "an error of a type's own code"
    case missingSuper = "a superclass that has no member"

    // Keys
    case equivalentKeys = "keys that look the same but have different bytes, such as `é` and `e` with an accent"
    case convertedKeys = "two keys that a strategy makes equal"
    case repeatedKey = "a key that occurs twice in a dictionary, with a strategy for keys"
    case orderOfErrors = "several members of a dictionary that do not fit"

    // Encoding
    case pathOfChangedKey = "the coding path of a key that a strategy changes, while encoding"
    case pathInNestedContainer = "the coding path of a value in a nested container, while encoding"
    case orderOfMembers = "order of encoded members"
    case lateEncoder = "an encoder or container that is used after its value has been encoded"
    case decimalNaN = "`Decimal.nan`"
    case emptyStrategy = "a custom strategy for dates or data that writes nothing, at the top"
    case encodingDepth = "512 arrays and objects, one inside the other, while encoding"
}
