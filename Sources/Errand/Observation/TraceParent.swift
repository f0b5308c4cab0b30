/// A position in a distributed trace, as in the header field `traceparent` (W3C Trace Context, Level 2).
///
/// ```swift
/// TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")?.isSampled    // true
/// ```
public struct TraceParent: Hashable, Sendable, CustomStringConvertible {
    // The two halves of the trace ID, and the parent ID.
    private let high: UInt64
    private let low: UInt64
    private let parent: UInt64
    /// Whether the caller may have recorded the trace.
    public var isSampled: Bool
    /// Whether the last 14 digits of the trace ID are random, so that a sampler can decide by them. `true` for a trace
    /// that begins here.
    public var isRandom: Bool
    /// The `tracestate` of the position: vendor-specific data, which is passed on unchanged.
    public var state: String?

    /// The trace ID: 32 lowercase hexadecimal digits, not all zero.
    public var traceID: String { high.hexadecimal + low.hexadecimal }
    /// The ID of the calling span, which is the parent of the called one: 16 lowercase hexadecimal digits, not all
    /// zero.
    public var parentID: String { parent.hexadecimal }

    /// Parses the value of a `traceparent` header field.
    ///
    /// Reads version 00. From later versions, it reads the part that version 00 defines, as the specification requires
    /// (section 3.2.4). Returns `nil` for an invalid value: uppercase letters, a wrong length, version ff, or an ID
    /// that is all zeros.
    ///
    /// - Parameters:
    ///   - text: The value of `traceparent`.
    ///   - state: The value of `tracestate`; several fields joined by commas.
    public init?(_ text: String, state: String? = nil) {
        let bytes = Array(text.utf8)
        // The hyphens of version-traceID-parentID-flags, whose parts have 2, 32, 16 and 2 digits.
        guard bytes.count >= Self.length, [2, 35, 52].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }),
            let version = UInt64(hexadecimal: bytes[0..<2]), version != 0xFF,
            bytes.count == Self.length || (version > 0 && bytes[Self.length] == UInt8(ascii: "-")),
            let high = UInt64(hexadecimal: bytes[3..<19]), let low = UInt64(hexadecimal: bytes[19..<35]),
            let parent = UInt64(hexadecimal: bytes[36..<52]), let flags = UInt64(hexadecimal: bytes[53..<55]),
            high != 0 || low != 0, parent != 0
        else { return nil }
        self.init(
            high: high, low: low, parent: parent, isSampled: flags & 1 == 1,
            isRandom: flags & 2 == 2, state: state)
    }

    /// Creates a position from its IDs, in the format of the header field. Returns `nil` if one of them is invalid.
    public init?(
        traceID: String, parentID: String, isSampled: Bool = false, isRandom: Bool = false, state: String? = nil
    ) {
        self.init("00-\(traceID)-\(parentID)-00", state: state)
        self.isSampled = isSampled
        self.isRandom = isRandom
    }

    /// Creates the position at the beginning of a new trace.
    ///
    /// - Parameters:
    ///   - isSampled: Whether the caller may record the trace; `false` by default.
    ///   - random: Returns the random bits for the IDs.
    public init(isSampled: Bool = false, random: () -> UInt64 = { .random(in: .min ... .max) }) {
        let high = random()
        let low = random()
        self.init(
            high: high, low: high == 0 ? max(low, 1) : low, parent: max(random(), 1), isSampled: isSampled,
            isRandom: true, state: nil)
    }

    private init(high: UInt64, low: UInt64, parent: UInt64, isSampled: Bool, isRandom: Bool, state: String?) {
        self.high = high
        self.low = low
        self.parent = parent
        self.isSampled = isSampled
        self.isRandom = isRandom
        self.state = state
    }

    /// Returns a new span in the same trace.
    ///
    /// - Parameter random: Returns the random bits for its ID.
    public func child(random: () -> UInt64 = { .random(in: .min ... .max) }) -> TraceParent {
        TraceParent(
            high: high, low: low, parent: max(random(), 1), isSampled: isSampled, isRandom: isRandom, state: state)
    }

    /// The value of `traceparent` in version 00, with the flags for ``isSampled`` and ``isRandom``.
    public var description: String { "00-\(traceID)-\(parentID)-0\((isSampled ? 1 : 0) + (isRandom ? 2 : 0))" }

    /// The number of characters in version 00.
    private static let length = 55
}

extension UInt64 {
    /// Parses lowercase hexadecimal digits.
    fileprivate init?(hexadecimal digits: ArraySlice<UInt8>) {
        guard digits.allSatisfy({ $0.isDigit || 0x61...0x66 ~= $0 }) else { return nil }
        self.init(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    /// 16 lowercase hexadecimal digits.
    fileprivate var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
