/// A queue: elements are added at the end and taken from the beginning.
///
/// A taken element is released at once. Its place in the array is removed when at least half of all places are free, so
/// that each element is moved at most once on average.
@usableFromInline package struct Queue<Element> {
    @usableFromInline var places: [Element?]
    /// The number of free places, which are at the beginning.
    @usableFromInline var free = 0

    /// Creates a queue with elements in order.
    @inlinable package init(_ elements: [Element] = []) {
        places = elements
    }

    @inlinable package mutating func append(_ element: Element) {
        places.append(element)
    }

    /// Takes the first element; `nil` for an empty queue.
    @discardableResult
    @inlinable package mutating func popFirst() -> Element? {
        guard let first else { return nil }
        places[free] = nil
        free += 1
        if free * 2 >= places.count {
            places.removeFirst(free)
            free = 0
        }
        return first
    }
}

extension Queue: RandomAccessCollection {
    @inlinable package var startIndex: Int { 0 }
    @inlinable package var endIndex: Int { places.count - free }

    @inlinable package subscript(index: Int) -> Element {
        guard let element = places[free + index] else { preconditionFailure("the element at \(index) was taken") }
        return element
    }
}

extension Queue: Sendable where Element: Sendable {}
