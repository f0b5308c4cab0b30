/// A simulation whose events run in the order of their times, on a clock that jumps from one to the next.
final class Simulation {
    private struct Event {
        let time: Duration
        let number: Int
        let action: () -> Void

        static func < (one: Event, other: Event) -> Bool { (one.time, one.number) < (other.time, other.number) }
    }

    private(set) var now = Duration.zero
    /// A binary heap with the earliest event first.
    private var events: [Event] = []
    private var count = 0
    private var seed: UInt64 = 42

    /// A pseudorandom number from 0 to 1; the sequence is the same in every run.
    func random() -> Double {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(seed >> 11) / Double(UInt64(1) << 53)
    }

    func after(_ delay: Duration, _ action: @escaping () -> Void) {
        count += 1
        events.append(Event(time: now + delay, number: count, action: action))
        var child = events.count - 1
        while child > 0, events[child] < events[(child - 1) / 2] {
            events.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Runs until there are no events left.
    func run() {
        while let event = takeFirst() {
            now = event.time
            event.action()
        }
    }

    private func takeFirst() -> Event? {
        guard let first = events.first, let last = events.popLast() else { return nil }
        guard !events.isEmpty else { return first }
        events[0] = last
        var parent = 0
        while true {
            let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < events.count }
            guard let child = children.min(by: { events[$0] < events[$1] }), events[child] < events[parent] else {
                break
            }
            events.swapAt(child, parent)
            parent = child
        }
        return first
    }
}

/// The outcomes of the requests of a simulation.
struct SimulatedLoad {
    private(set) var requests = 0
    private(set) var sent = 0
    private var latencies: [Duration] = []

    mutating func request() { requests += 1 }
    mutating func send() { sent += 1 }
    mutating func succeed(after latency: Duration) { latencies.append(latency) }

    /// The time in which this share of the successful requests has ended.
    func latency(_ share: Double) -> Duration {
        let sorted = latencies.sorted()
        guard !sorted.isEmpty else { return .zero }
        return sorted[min(Int(share * Double(sorted.count)), sorted.count - 1)]
    }

    /// The share of the requests that failed.
    var failures: Double { 1 - Double(latencies.count) / Double(max(requests, 1)) }

    /// A row of the guide's table.
    func row(_ name: String) -> String {
        let failed = (failures * 1000).rounded() / 10
        let load = (Double(sent) / Double(requests) * 1000).rounded() / 1000
        return "| \(name) | \(Self.text(latency(0.5))) | \(Self.text(latency(0.99))) | \(failed) % | \(load) |"
    }

    private static func text(_ duration: Duration) -> String {
        let milliseconds = Int((duration / .milliseconds(1)).rounded())
        return milliseconds < 1000 ? "\(milliseconds) ms" : "\(Double(milliseconds / 100) / 10) s"
    }
}
