#if canImport(CCurl)
import Foundation
import TestSupport
import Testing

@testable import Errand

/// A slow and plain pool, which searches all requests for the next one.
private struct Model {
    struct Request {
        let origin: String
        let priority: RequestPriority
        let arrival: Int
        var isStarted = false
        var isConnected = false
    }

    struct Origin {
        var sharing: CurlOrigin.Sharing
        var hasFailed = false
        var opener: Int?
        var capacity = Int.max
    }

    let originLimit: Int
    let limit: Int
    let sharing: CurlOrigin.Sharing
    var requests: [Int: Request] = [:]
    var origins: [String: Origin] = [:]
    private var arrivals = 0

    init(originLimit: Int, limit: Int, sharing: CurlOrigin.Sharing) {
        (self.originLimit, self.limit, self.sharing) = (originLimit, limit, sharing)
    }

    var running: Int { requests.values.count(where: \.isStarted) }

    func running(_ origin: String) -> Int { requests.values.count { $0.isStarted && $0.origin == origin } }

    private func hasRoom(_ name: String) -> Bool {
        guard let origin = origins[name] else { return true }
        return switch origin.sharing {
        case .unknown where !origin.hasFailed: running(name) < 1
        case .streams where !origin.hasFailed: running(name) < origin.capacity
        default: running(name) < originLimit
        }
    }

    /// The request that must be started now.
    var next: Int? {
        guard running < limit else { return nil }
        let waiting = requests.filter { !$0.value.isStarted && hasRoom($0.value.origin) }
        // Within an origin too, the most urgent request is first.
        return waiting.min {
            ($1.value.priority.rawValue, $0.value.arrival) < ($0.value.priority.rawValue, $1.value.arrival)
        }?.key
    }

    mutating func handle(_ event: Table.Event) {
        switch event {
        case .submit(let id, let origin, let priority):
            arrivals += 1
            requests[id] = Request(origin: origin, priority: priority, arrival: arrivals)
            if origins[origin] == nil { origins[origin] = Origin(sharing: sharing) }
        case .opening(let id, _):
            change(id) { origin, running in
                guard origin.sharing == .streams, origin.opener == nil, !origin.hasFailed else { return }
                (origin.opener, origin.capacity) = (id, running)
            }
        case .connected(let id, let sharing):
            requests[id]?.isConnected = true
            change(id) { origin, _ in
                if origin.opener == id { (origin.opener, origin.capacity) = (nil, .max) }
                origin.hasFailed = false
                if origin.sharing != .streams { origin.sharing = sharing }
            }
        case .failedToConnect(let id):
            let name = requests[id]?.origin
            guard !requests.values.contains(where: { $0.origin == name && $0.isConnected }) else { return }
            change(id) { origin, _ in origin.hasFailed = true }
        case .ended(let id):
            change(id) { origin, _ in
                if origin.opener == id { (origin.opener, origin.capacity) = (nil, .max) }
            }
            let name = requests.removeValue(forKey: id)?.origin
            if let name, !requests.values.contains(where: { $0.origin == name }) { origins[name] = nil }
        }
    }

    private mutating func change(_ id: Int, _ change: (inout Origin, _ running: Int) -> Void) {
        guard let name = requests[id]?.origin else { return }
        let running = running(name)
        guard var origin = origins[name] else { return }
        change(&origin, running)
        origins[name] = origin
    }
}

struct `Pool and model` {
    /// The number of random events of each row; a million by the deep check.
    private static let count = ProcessInfo.processInfo.environment["ERRAND_POOL_EVENTS"].flatMap(Int.init) ?? 24_000

    @Test(arguments: [CurlOrigin.Sharing.none, .unknown, .streams], [(1, 1), (1, 4), (3, 5), (6, 6)])
    func `no request is lost, started twice or out of turn, and no limit is passed`(
        _ sharing: CurlOrigin.Sharing, _ limits: (ofOrigin: Int, all: Int)
    ) {
        var pool = CurlPool(CurlConfiguration(limits: limits)) { _ in sharing }
        var model = Model(originLimit: limits.ofOrigin, limit: limits.all, sharing: sharing)
        var random = SeededChance(seed: UInt64(limits.ofOrigin * 100 + limits.all))
        for step in 0..<Self.count / 12 {
            let event = Self.event(model, &random)
            pool.handle(event, UInt64(step))
            model.handle(event)
            // The loop may tell several ends, and a request that follows them, before it starts others.
            if case .ended = event, Int.random(in: 0..<4, using: &random) == 0 { continue }
            while let start = pool.next(connections: 0, UInt64(step)) {
                guard start.request == model.next else {
                    let next = String(describing: model.next)
                    Issue.record("step \(step), \(event): \(start.request) was started, not \(next)")
                    return
                }
                model.requests[start.request]?.isStarted = true
            }
            guard model.next == nil else {
                Issue.record("step \(step), \(event): \(String(describing: model.next)) waits, although there is room")
                return
            }
            guard model.running <= limits.all else {
                Issue.record("step \(step), \(event): more requests than the limit")
                return
            }
            let waiting = model.requests.filter { !$0.value.isStarted }.keys
            guard waiting.allSatisfy(pool.isWaiting), pool.isIdle == model.requests.isEmpty else {
                Issue.record("step \(step), \(event): the pool has other requests")
                return
            }
        }
        // Whatever happened, all requests come to their end.
        while let id = model.requests.keys.randomElement(using: &random) {
            pool.ended(id)
            model.handle(.ended(id))
            while let start = pool.next(connections: 0, 0) { model.requests[start.request]?.isStarted = true }
        }
        #expect(pool.isIdle)
    }

    /// Returns an event that is possible now.
    private static func event(_ model: Model, _ random: inout SeededChance) -> Table.Event {
        let started = model.requests.filter(\.value.isStarted).keys.sorted()
        let all = model.requests.keys.sorted()
        let kind = Int.random(in: 0..<10, using: &random)
        if kind < 4 || all.isEmpty, let id = (0..<40).first(where: { model.requests[$0] == nil }) {
            let origin = ["a", "b", "c", "http://d/"].randomElement(using: &random) ?? "a"
            return .submit(id, to: origin, RequestPriority.allCases.randomElement(using: &random) ?? .normal)
        }
        if kind < 7, let id = started.randomElement(using: &random) {
            let sharing = model.requests[id].flatMap { model.origins[$0.origin]?.sharing }
            return switch Int.random(in: 0..<3, using: &random) {
            case 0: .opening(id)
            case 1: .connected(id, sharing == .streams || Bool.random(using: &random) ? .streams : .none)
            default: model.requests[id]?.isConnected == true ? .ended(id) : .failedToConnect(id)
            }
        }
        return .ended(all.randomElement(using: &random) ?? 0)
    }
}
#endif
