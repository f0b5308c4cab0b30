import Errand
import Testing

@Suite struct `Transport: queue` {
    @Test func `a queue gives its elements in the order in which they were added`() {
        var queue = Queue([0, 1])
        var (added, taken) = (2, 0)
        for round in 1...50 {
            for _ in 0..<round {
                queue.append(added)
                added += 1
            }
            for _ in 0..<round where taken < added - 20 {
                #expect(queue.popFirst() == taken)
                taken += 1
            }
            #expect(Array(queue) == Array(taken..<added))
        }
        while let next = queue.popFirst() {
            #expect(next == taken)
            taken += 1
        }
        #expect(taken == added)
        #expect(queue.isEmpty)
    }

    @Test func `a queue releases an element when it is taken`() {
        final class Element {}
        var queue = Queue<Element>()
        weak var first: Element?
        do {
            let element = Element()
            first = element
            queue.append(element)
            for _ in 1...9 { queue.append(Element()) }
        }
        #expect(first != nil)
        queue.popFirst()
        #expect(first == nil)
        #expect(queue.count == 9)
    }
}
