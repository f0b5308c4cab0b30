/// A place in a distributed trace, as the field `traceparent` says it (W3C Trace Context, Level 1).
///
/// ```swift
/// TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")?.isSampled    // true
/// ```
public struct TraceParent: Hashable, Sendable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64
    private let parent: UInt64
    /// Whether who calls may have recorded the trace.
    public var isSampled: Bool
    /// The `tracestate` that belongs to it: what tracing systems tell each other, passed on as it is.
    public var state: String?

    /// The trace: 32 hexadecimal digits in small letters, not all of them zero.
    public var traceID: String { high.hexadecimal + low.hexadecimal }
    /// The span that calls, or the parent of who is called: 16 hexadecimal digits in small letters, not all of them zero.
    public var parentID: String { parent.hexadecimal }

    /// A place that a server, or another library, has told.
    ///
    /// Read is version 00, and of later ones what is as in version 00, as the specification wants it (section 3.2.4).
    /// Nil for anything else: capital letters, a wrong length, version ff, an ID that is all zeros.
    ///
    /// - Parameters:
    ///   - text: The value of `traceparent`.
    ///   - state: The value of `tracestate`, of several fields joined by commas.
    public init?(_ text: String, state: String? = nil) {
        let bytes = Array(text.utf8)
        guard bytes.count >= Self.length, [2, 35, 52].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }),
            let version = UInt64(hexadecimal: bytes[0..<2]), version != 0xFF,
            bytes.count == Self.length || (version > 0 && bytes[Self.length] == UInt8(ascii: "-")),
            let high = UInt64(hexadecimal: bytes[3..<19]), let low = UInt64(hexadecimal: bytes[19..<35]),
            let parent = UInt64(hexadecimal: bytes[36..<52]), let flags = UInt64(hexadecimal: bytes[53..<55]),
            high != 0 || low != 0, parent != 0
        else { return nil }
        self.init(high: high, low: low, parent: parent, isSampled: flags & 1 == 1, state: state)
    }

    /// A place by its two IDs, written as in the field.
    public init?(traceID: String, parentID: String, isSampled: Bool = false, state: String? = nil) {
        self.init("00-\(traceID)-\(parentID)-\(isSampled ? "01" : "00")", state: state)
    }

    /// The beginning of a new trace.
    ///
    /// - Parameters:
    ///   - isSampled: Whether the caller may record it.
    ///   - random: Where the IDs come from: any 64 bits each time.
    public init(isSampled: Bool = false, random: () -> UInt64 = { .random(in: .min ... .max) }) {
        let high = random()
        let low = random()
        self.init(
            high: high, low: high == 0 ? max(low, 1) : low, parent: max(random(), 1), isSampled: isSampled, state: nil)
    }

    private init(high: UInt64, low: UInt64, parent: UInt64, isSampled: Bool, state: String?) {
        self.high = high
        self.low = low
        self.parent = parent
        self.isSampled = isSampled
        self.state = state
    }

    /// A new span in the same trace.
    ///
    /// - Parameter random: Where its ID comes from: any 64 bits.
    public func child(random: () -> UInt64 = { .random(in: .min ... .max) }) -> TraceParent {
        TraceParent(high: high, low: low, parent: max(random(), 1), isSampled: isSampled, state: state)
    }

    /// The value of `traceparent`, in version 00; of the flags there is the sampled one alone.
    public var description: String { "00-\(traceID)-\(parentID)-\(isSampled ? "01" : "00")" }

    private static let length = 55
}

extension UInt64 {
    /// The number that hexadecimal digits in small letters write.
    fileprivate init?(hexadecimal digits: ArraySlice<UInt8>) {
        guard digits.allSatisfy({ 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }) else { return nil }
        self.init(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    /// 16 digits in small letters.
    fileprivate var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
