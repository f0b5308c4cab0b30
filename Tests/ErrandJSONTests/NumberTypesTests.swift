import ErrandJSON
import Testing

/// Containers have a method for each type of number, which the compiler chooses.
struct `Types of numbers in JSON` {
    private struct Members: Codable, Equatable {
        var int = Int.min, int8 = Int8.min, int16 = Int16.min, int32 = Int32.min, int64 = Int64.min, int128 = Int128.min
        var uint = UInt.max, uint8 = UInt8.max, uint16 = UInt16.max, uint32 = UInt32.max, uint64 = UInt64.max
        var uint128 = UInt128.max, float = Float.greatestFiniteMagnitude, double = Double.leastNonzeroMagnitude,
            bool = true
    }

    private struct OptionalMembers: Codable, Equatable {
        var int: Int?, int8: Int8?, int16: Int16?, int32: Int32?, int64: Int64?, int128: Int128?
        var uint: UInt?, uint8: UInt8?, uint16: UInt16?, uint32: UInt32?, uint64: UInt64?
        var uint128: UInt128?, float: Float?, double: Double?, bool: Bool?
    }

    /// The same values in an array.
    private struct Elements: Codable, Equatable {
        var members = Members()

        init() {}

        init(from decoder: any Decoder) throws {
            var array = try decoder.unkeyedContainer()
            members.int = try array.decode(Int.self)
            members.int8 = try array.decode(Int8.self)
            members.int16 = try array.decode(Int16.self)
            members.int32 = try array.decode(Int32.self)
            members.int64 = try array.decode(Int64.self)
            members.int128 = try array.decode(Int128.self)
            members.uint = try array.decode(UInt.self)
            members.uint8 = try array.decode(UInt8.self)
            members.uint16 = try array.decode(UInt16.self)
            members.uint32 = try array.decode(UInt32.self)
            members.uint64 = try array.decode(UInt64.self)
            members.uint128 = try array.decode(UInt128.self)
            members.float = try array.decode(Float.self)
            members.double = try array.decode(Double.self)
            members.bool = try array.decode(Bool.self)
        }

        func encode(to encoder: any Encoder) throws {
            var array = encoder.unkeyedContainer()
            try array.encode(members.int)
            try array.encode(members.int8)
            try array.encode(members.int16)
            try array.encode(members.int32)
            try array.encode(members.int64)
            try array.encode(members.int128)
            try array.encode(members.uint)
            try array.encode(members.uint8)
            try array.encode(members.uint16)
            try array.encode(members.uint32)
            try array.encode(members.uint64)
            try array.encode(members.uint128)
            try array.encode(members.float)
            try array.encode(members.double)
            try array.encode(members.bool)
        }
    }

    @Test func `members of every number type are encoded and decoded`() throws {
        try check(Members())
        let members = try FastJSONEncoder().encode(Members())
        let found = try FastJSONDecoder().decode(OptionalMembers.self, from: members)
        #expect(found.int128 == .min && found.uint8 == .max && found.float == .greatestFiniteMagnitude)
        try check(found)
        try check(OptionalMembers())
    }

    @Test func `elements of every number type are encoded and decoded`() throws {
        try check(Elements())
    }

    @Test func `raw values of every number type are encoded and decoded`() throws {
        try check([Tiny.least, Tiny.most])
        try check([Large.least, Large.most])
        try check([Fraction.half])
    }

    private enum Tiny: Int8, Codable {
        case least = -128
        case most = 127
    }
    private enum Large: UInt64, Codable {
        case least = 0
        case most = 18_446_744_073_709_551_615
    }
    private enum Fraction: Float, Codable { case half = 0.5 }

    @Test func `a number that does not fit its type fails with its location`() {
        let document = #"{"int":1,"int8":128}"#
        let error = #expect(throws: DecodingError.self) {
            try FastJSONDecoder().decode(OptionalMembers.self, from: document)
        }
        #expect("\(error as Any)".contains("a number does not fit in Int8"))
    }

    /// Checks that both encoders write the same document, and that both decoders read the value from it.
    private func check<Value: Codable & Equatable>(_ value: Value) throws {
        var encoder = FastJSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let foundation = JSONEncoder()
        foundation.outputFormatting = .sortedKeys
        let document = try encoder.encode(value)
        #expect(
            try String(decoding: foundation.encode(value), as: UTF8.self) == String(decoding: document, as: UTF8.self))
        #expect(try FastJSONDecoder().decode(Value.self, from: document) == value)
        #expect(try JSONDecoder().decode(Value.self, from: document) == value)
    }
}
