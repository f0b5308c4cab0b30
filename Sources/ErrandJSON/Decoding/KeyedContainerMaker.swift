import Synchronization

/// Makes the containers of objects for one type of keys.
///
/// The type of a container depends on the type of its keys. The runtime looks it up each time a container is made,
/// which takes as long as decoding several members. A maker looks it up once.
class KeyedContainerMaker<Key: CodingKey>: AnyKeyedContainerMaker {
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
    private let key: ObjectIdentifier

    init<Key: CodingKey>(for type: Key.Type) {
        key = ObjectIdentifier(type)
    }

    /// The key with a name; `nil` if the type does not have it.
    func codingKey(_ name: String) -> (any CodingKey)? { nil }

    /// The word of a tape that represents this maker. Makers that are looked up are never released.
    @inline(__always)
    final var word: UInt64 { UInt64(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())) }

    private typealias Place = UnsafeMutablePointer<Atomic<UnsafeRawPointer?>>

    private static let count = 256
    /// The makers of the process. The address of a type of keys determines the place of its maker.
    ///
    /// Only the access to the memory of the table is unsafe. The table is allocated once and never released. Each place
    /// is atomic, and changes only once, from `nil` to a maker. Makers are constant and never released, so every thread
    /// can use what it reads.
    private nonisolated(unsafe) static let places = {
        let places = Place.allocate(capacity: count)
        for index in 0..<count { (places + index).initialize(to: Atomic(nil)) }
        return places
    }()

    /// Returns the maker for a type of keys, or `nil` if another type has taken its place.
    @inline(__always)
    static func maker<Key: CodingKey>(for type: Key.Type) -> KeyedContainerMaker<Key>? {
        let key = ObjectIdentifier(type)
        let place = places + (Int(bitPattern: key) &>> 4 & (count - 1))
        guard let pointer = place.pointee.load(ordering: .acquiring) else { return newMaker(for: type, at: place) }
        let maker = Unmanaged<AnyKeyedContainerMaker>.fromOpaque(pointer).takeUnretainedValue()
        return maker.key == key ? unsafeDowncast(maker, to: KeyedContainerMaker<Key>.self) : nil
    }

    @inline(never)
    private static func newMaker<Key: CodingKey>(for type: Key.Type, at place: Place) -> KeyedContainerMaker<Key>? {
        let maker = LookedUpMaker<KeyedTapeContainer<Key>>(for: type)
        let kept = Unmanaged.passRetained(maker as AnyKeyedContainerMaker)
        let pointer = UnsafeRawPointer(kept.toOpaque())
        if place.pointee.compareExchange(expected: nil, desired: pointer, ordering: .acquiringAndReleasing).exchanged {
            return maker
        }
        // Another thread has stored a maker at this place, for this type or for another.
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
