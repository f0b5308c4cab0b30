import Synchronization

/// The members of an object.
struct KeyedTapeContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let document: JSONDocument
    /// The index of the object's token on the tape.
    let index: Int

    var codingPath: [any CodingKey] { document.path(of: index) }
    var allKeys: [Key] { document.keys(of: index).compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { document.value(of: key, in: index, advancing: false) != nil }

    func decodeNil(forKey key: Key) throws -> Bool {
        guard let value = document.value(of: key, in: index, advancing: false) else {
            throw document.missing(key, in: index)
        }
        return document.isNull(at: value)
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try document.bool(at: value(of: key)) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try document.string(at: value(of: key)) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try document.double(at: value(of: key)) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try document.float(at: value(of: key)) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(type, key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(type, key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(type, key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(type, key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(type, key) }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try integer(type, key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(type, key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(type, key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(type, key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(type, key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(type, key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try integer(type, key) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try document.decode(type, at: value(of: key))
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try present(key).map { try document.bool(at: $0) }
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try present(key).map { try document.string(at: $0) }
    }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try present(key).map { try document.double(at: $0) }
    }

    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        try present(key).map { try document.float(at: $0) }
    }

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? { try integerIfPresent(type, key) }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try present(key).map { try document.decode(type, at: $0) }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try document.keyedContainer(keyedBy: type, at: value(of: key))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try document.unkeyedContainer(at: value(of: key))
    }

    func superDecoder() throws -> any Decoder { superDecoder(of: JSONCodingKey.super) }
    func superDecoder(forKey key: Key) throws -> any Decoder { superDecoder(of: key) }

    private func superDecoder(of key: some CodingKey) -> any Decoder {
        guard let value = document.value(of: key, in: index, advancing: true) else {
            return document.nullDecoder(key, in: index)
        }
        return TapeDecoder(document: document, index: value)
    }

    /// Returns the index of the value of a key.
    @inline(__always)
    private func value(of key: Key) throws -> Int {
        guard let value = document.value(of: key, in: index, advancing: true) else {
            throw document.missing(key, in: index)
        }
        return value
    }

    /// Returns the index of the value of a key, or `nil` if the object does not have it or it is null.
    @inline(__always)
    private func present(_ key: Key) -> Int? {
        guard let value = document.value(of: key, in: index, advancing: true), !document.isNull(at: value) else {
            return nil
        }
        return value
    }

    @inline(__always)
    private func integer<Value: FixedWidthInteger>(_ type: Value.Type, _ key: Key) throws -> Value {
        try document.integer(type, at: value(of: key))
    }

    @inline(__always)
    private func integerIfPresent<Value: FixedWidthInteger>(_ type: Value.Type, _ key: Key) throws -> Value? {
        try present(key).map { try document.integer(type, at: $0) }
    }
}

extension JSONDocument {
    /// Returns the keys of an object, each once, in the order of the document. Two equal strings are one key.
    func keys(of object: Int) -> [String] {
        let tape = tape
        var keys: [String] = []
        keys.reserveCapacity(tape[object].length)
        var isASCII = true
        var key = tape.firstChild(of: object)
        while key < tape[object].high {
            if !tape[key].isASCII { isASCII = false }
            keys.append(convertedKey(at: key, in: object))
            key = tape.next(after: tape.next(after: key))
        }
        // Keys are different strings if they are ASCII, none occurs twice in the document, and none was converted.
        if isASCII, !tape[object].isMarked, decodesPlainKeys(object) { return keys }
        // Keys with different bytes can be equal strings. The first of them counts, as of two keys with the same bytes.
        var seen: Set<String> = []
        return keys.filter { seen.insert($0).inserted }
    }
}

/// Makes the containers of objects for one type of keys.
///
/// The type of a container depends on the type of its keys. The runtime looks it up each time a container is made,
/// which takes as long as decoding several members. A maker looks it up once.
class KeyedContainerMaker<Key: CodingKey>: AnyKeyedContainerMaker {
    // Every maker is a `LookedUpMaker`, which overrides this. Here the runtime would look up the type each time.
    func container(of document: JSONDocument, at index: Int) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(KeyedTapeContainer(document: document, index: index))
    }

    override func codingKey(_ name: String) -> (any CodingKey)? { Key(stringValue: name) }
}

/// A maker whose class has the type of the container as its parameter. Each maker refers to its class, so it need not
/// look up the type again.
private final class LookedUpMaker<Container: ObjectContainer>: KeyedContainerMaker<Container.Key> {
    override func container(of document: JSONDocument, at index: Int) -> KeyedDecodingContainer<Container.Key> {
        KeyedDecodingContainer(Container(document: document, index: index))
    }
}

private protocol ObjectContainer: KeyedDecodingContainerProtocol {
    init(document: JSONDocument, index: Int)
}

extension KeyedTapeContainer: ObjectContainer {}

/// The maker for some type of keys.
class AnyKeyedContainerMaker {
    private typealias Slot = UnsafeMutablePointer<Atomic<UnsafeRawPointer?>>

    private static let slotCount = 256
    /// The makers of the process. The address of a type of keys determines the slot of its maker.
    ///
    /// Only the access to the memory of the table is unsafe. The table is allocated once and never released. Each slot
    /// is atomic, and changes only once, from `nil` to a maker. Makers are constant and never released, so every thread
    /// can use what it reads.
    private nonisolated(unsafe) static let slots = {
        let slots = Slot.allocate(capacity: slotCount)
        for index in 0..<slotCount { (slots + index).initialize(to: Atomic(nil)) }
        return slots
    }()

    /// The identity of the type of keys.
    private let keyType: ObjectIdentifier

    init<Key: CodingKey>(for type: Key.Type) {
        keyType = ObjectIdentifier(type)
    }

    /// The key with a name; `nil` if the type does not have it.
    func codingKey(_ name: String) -> (any CodingKey)? { nil }

    /// The word of a tape that represents this maker. Makers that ``maker(for:)`` returns are never released.
    @inline(__always)
    final var word: UInt64 { UInt64(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())) }

    /// Returns the maker for a type of keys, or `nil` if another type has taken its slot.
    @inline(__always)
    static func maker<Key: CodingKey>(for type: Key.Type) -> KeyedContainerMaker<Key>? {
        let keyType = ObjectIdentifier(type)
        // The lowest four bits of an address do not distinguish types.
        let slot = slots + (Int(bitPattern: keyType) &>> 4 & (slotCount - 1))
        guard let pointer = slot.pointee.load(ordering: .acquiring) else { return newMaker(for: type, at: slot) }
        let maker = Unmanaged<AnyKeyedContainerMaker>.fromOpaque(pointer).takeUnretainedValue()
        return maker.keyType == keyType ? unsafeDowncast(maker, to: KeyedContainerMaker<Key>.self) : nil
    }

    /// Stores a new maker and returns it. If another thread has stored one first, returns that maker, or `nil` if it is
    /// for another type.
    @inline(never)
    private static func newMaker<Key: CodingKey>(for type: Key.Type, at slot: Slot) -> KeyedContainerMaker<Key>? {
        let maker = LookedUpMaker<KeyedTapeContainer<Key>>(for: type)
        let kept = Unmanaged.passRetained(maker as AnyKeyedContainerMaker)
        let pointer = UnsafeRawPointer(kept.toOpaque())
        if slot.pointee.compareExchange(expected: nil, desired: pointer, ordering: .acquiringAndReleasing).exchanged {
            return maker
        }
        kept.release()
        return Self.maker(for: type)
    }

    /// The maker that a word of a tape represents; `nil` for 0.
    static func maker(_ word: UInt64) -> AnyKeyedContainerMaker? {
        UnsafeRawPointer(bitPattern: UInt(word)).map {
            Unmanaged<AnyKeyedContainerMaker>.fromOpaque($0).takeUnretainedValue()
        }
    }
}
