import ErrandJSON
import TestTools

/// Documents that are the same in every run, for comparisons with another implementation.
struct RandomJSON {
    private var generator: SeededChance

    init(seed: UInt64) {
        generator = SeededChance(seed: seed)
    }

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }
    mutating func bits() -> UInt64 { generator.next() }
    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(0..<elements.count)] }

    /// A document whose objects have the keys of ``Sample``, with values that mostly fit.
    mutating func document(depth: Int = 3) -> String {
        switch number(0..<10) {
        case 0: scalar()
        case 1:
            "["
                + (0..<number(0..<4)).map { _ in depth > 0 ? document(depth: depth - 1) : scalar() }.joined(
                    separator: space() + ",") + "]"
        default: object(depth: depth)
        }
    }

    mutating func object(depth: Int) -> String {
        var members: [String] = []
        for key in Self.keys where number(0..<4) > 0 {
            members.append(space() + "\"\(key)\"" + space() + ":" + space() + value(of: key, depth: depth))
        }
        if number(0..<4) == 0 { members.shuffle(using: &generator) }
        if number(0..<8) == 0, let first = members.first { members.append(first) }
        if number(0..<6) == 0 { members.append("\"other\": " + (depth > 0 ? document(depth: depth - 1) : "1")) }
        return "{" + members.joined(separator: ",") + space() + "}"
    }

    private static let keys = [
        "int", "small", "unsigned", "double", "float", "bool", "string", "date", "url", "data", "list", "names", "map",
        "child",
        "children", "kind", "decimal", "matrix", "big",
    ]

    private mutating func value(of key: String, depth: Int) -> String {
        // Sometimes a value that does not fit.
        guard number(0..<25) > 0 else { return scalar() }
        switch key {
        case "int": return "\(Int.random(in: .min ... .max, using: &generator))"
        case "small": return "\(number(-130..<130))"
        case "unsigned": return "\(bits())"
        case "double": return "\(Double.random(in: -1e9...1e9, using: &generator))"
        case "float": return "\(number(0..<1000)).\(number(0..<1000))"
        case "bool": return pick(["true", "false"])
        case "string": return string()
        case "date": return "\(number(0..<1_000_000))"
        case "url": return pick(["\"https://example.com/\(number(0..<99))\"", "\"a b\"", "\"\""])
        case "data": return pick(["\"aGVsbG8=\"", "\"\"", "\"%\""])
        case "list": return "[" + (0..<number(0..<4)).map { _ in "\(number(-9..<9))" }.joined(separator: ",") + "]"
        case "names": return "[" + (0..<number(0..<4)).map { _ in string() }.joined(separator: " , ") + "]"
        case "matrix": return "[[" + scalar() + "],[1.5,2e3]]"
        case "map": return "{" + (0..<number(0..<4)).map { "\"k_\($0)\":\(number(0..<9))" }.joined(separator: ",") + "}"
        case "child": return depth > 0 ? object(depth: depth - 1) : "null"
        case "children": return "[" + (depth > 0 ? object(depth: depth - 1) : "") + "]"
        case "kind": return pick(["\"a\"", "\"b\"", "\"c\""])
        case "decimal": return "\(number(0..<1000)).\(number(10..<99))"
        case "big": return pick(["170141183460469231731687303715884105727", "-5", "12.0"])
        default: return scalar()
        }
    }

    mutating func scalar() -> String {
        pick([
            "null", "true", "false", "0", "-0", "1", "-1", "1.5", "1e3", "1E-2", "12.50e1", "300", "-129", "1e400",
            "\"\"", "\"a\"",
            "18446744073709551615", "18446744073709551616", "0.1", "1e22", "123456789012345678901234567890", "5e-324",
            "[]", "{}",
            "[1]", "{\"a\":1}", "2.0", string(),
        ])
    }

    mutating func string() -> String {
        "\""
            + (0..<number(0..<12)).map { _ in
                pick([
                    "a", "Z", " ", "é", "東", "🚢", "\\n", "\\\"", "\\\\", "\\/", "\\u00e9", "\\ud83d\\udea2", "\\t", "_",
                    "0",
                ])
            }.joined() + "\""
    }

    private mutating func space() -> String { pick(["", "", "", " ", "\n", "  \t", "\r\n          "]) }

    /// A document with one to three bytes changed, removed or added.
    mutating func mutated(_ document: String) -> [UInt8] {
        var bytes = Array(document.utf8)
        for _ in 0..<number(1..<4) where !bytes.isEmpty {
            let index = number(0..<bytes.count)
            switch number(0..<4) {
            case 0: bytes.remove(at: index)
            case 1: bytes.insert(pick(Array("{}[]\",:\\0123456789.eE+-truefalsnl \n\u{1}é".utf8)), at: index)
            case 2: bytes[index] = pick(Array("{}[]\",:\\0123456789.eE+-truefalsnl \n\u{1}é".utf8))
            default: bytes.removeLast(number(0..<min(4, bytes.count)))
            }
        }
        return bytes
    }
}

/// A type with a member of each kind.
final class Sample: Codable, Equatable {
    enum Kind: String, Codable { case a, b }

    var int: Int?
    var small: Int8?
    var unsigned: UInt64?
    var double: Double?
    var float: Float?
    var bool: Bool?
    var string: String?
    var date: Date?
    var url: URL?
    var data: Data?
    var list: [Int]?
    var names: [String]?
    var map: [String: Int]?
    var child: Sample?
    var children: [Sample]?
    var kind: Kind?
    var decimal: Decimal?
    var matrix: [[Double]]?
    var big: Int128?

    static func == (left: Sample, right: Sample) -> Bool {
        left.int == right.int && left.small == right.small && left.unsigned == right.unsigned
            && left.double?.bitPattern == right.double?.bitPattern && left.float == right.float
            && left.bool == right.bool
            && left.string == right.string && left.date == right.date && left.url == right.url
            && left.data == right.data
            && left.list == right.list && left.names == right.names && left.map == right.map
            && left.child == right.child
            && left.children == right.children && left.kind == right.kind && left.decimal == right.decimal
            && left.matrix == right.matrix && left.big == right.big
    }
}
