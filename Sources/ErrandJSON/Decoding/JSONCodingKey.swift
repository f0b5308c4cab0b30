/// A key of an object, or an index of an array, in a coding path.
///
/// It fits into an existential without an allocation, and makes the text of an index only on demand: a custom strategy
/// receives the whole path for each key.
struct JSONCodingKey: CodingKey {
    private enum Name {
        case text(String)
        /// The index of an element.
        case index(Int)
        /// A number that is the key of a dictionary.
        case number(Int)
    }

    static let `super` = JSONCodingKey("super")

    private let name: Name

    init(_ stringValue: String) {
        name = .text(stringValue)
    }

    init(index: Int) {
        name = .index(index)
    }

    init?(stringValue: String) {
        self.init(stringValue)
    }

    init?(intValue: Int) {
        name = .number(intValue)
    }

    var stringValue: String {
        switch name {
        case .text(let text): text
        case .index(let index): "Index \(index)"
        case .number(let number): "\(number)"
        }
    }

    var intValue: Int? {
        switch name {
        case .text: nil
        case .index(let number), .number(let number): number
        }
    }
}
