#if canImport(CCurl)
/// A binary heap of the origins that may start a transfer, by priority and then by arrival.
struct ReadyQueue {
    struct Place {
        let priority: Int
        let arrival: Int
        /// The index of the origin in the pool.
        let origin: Int

        func goesBefore(_ other: Place) -> Bool {
            priority == other.priority ? arrival < other.arrival : priority > other.priority
        }
    }

    private var places: [Place] = []

    var isEmpty: Bool { places.isEmpty }

    mutating func add(_ place: Place) {
        places.append(place)
        var index = places.count - 1
        while index > 0, case let parent = (index - 1) / 2, places[index].goesBefore(places[parent]) {
            places.swapAt(index, parent)
            index = parent
        }
    }

    mutating func takeFirst() -> Place? {
        guard let first = places.first, let last = places.popLast() else { return nil }
        if places.isEmpty { return first }
        places[0] = last
        var index = 0
        while true {
            let children = (2 * index + 1..<2 * index + 3).filter(places.indices.contains)
            guard let child = children.min(by: { places[$0].goesBefore(places[$1]) }),
                places[child].goesBefore(places[index])
            else { return first }
            places.swapAt(index, child)
            index = child
        }
    }
}
#endif
