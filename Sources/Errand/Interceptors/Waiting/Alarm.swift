/// When a state machine wants to be woken next.
struct AlarmPlan: Sendable {
    /// A time to be woken at, nil for none; of two, the one with the higher number is meant.
    struct Setting: Hashable, Sendable {
        let number: Int
        let time: Duration?
    }

    private var planned: Duration?
    private var number = 0

    /// - Returns: What the alarm is to be set to, nil when it stands there already.
    mutating func plan(_ time: Duration?) -> Setting? {
        guard time != planned else { return nil }
        planned = time
        number += 1
        return Setting(number: number, time: time)
    }

    /// The alarm went off, and is not set any more.
    mutating func hasGoneOff() {
        planned = nil
    }
}

/// One task that sleeps until something is to be done, replaced by each new setting.
final class Alarm: Sendable {
    private let timeline: Timeline
    private let state = Locked<(number: Int, task: Task<Void, Never>?)>((0, nil))

    init(_ timeline: Timeline) {
        self.timeline = timeline
    }

    /// Sets the alarm, unless a later setting has overtaken this one on its way from the machine.
    ///
    /// - Parameter wake: Called when the time has come.
    func set(_ setting: AlarmPlan.Setting, wake: @escaping @Sendable () -> Void) {
        let task = setting.time.map { [timeline] time in
            Task {
                guard (try? await timeline.sleep(until: time)) != nil else { return }
                wake()
            }
        }
        let superseded = state.withLock { state in
            guard setting.number > state.number else { return task }
            defer { state = (setting.number, task) }
            return state.task
        }
        superseded?.cancel()
    }
}
