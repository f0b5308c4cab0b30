/// The time of the next wake-up that a state machine requests.
package struct AlarmPlan: Sendable {
    /// The time of the wake-up; `nil` for none. Of two settings, the one with the higher number applies.
    package struct Setting: Hashable, Sendable {
        package let number: Int
        package let time: Duration?

        package init(number: Int, time: Duration?) {
            self.number = number
            self.time = time
        }
    }

    private var planned: Duration?
    private var number = 0

    package init() {}

    /// - Returns: The new setting of the alarm; `nil` if it is already set to that time.
    package mutating func plan(_ time: Duration?) -> Setting? {
        guard time != planned else { return nil }
        planned = time
        number += 1
        return Setting(number: number, time: time)
    }

    /// Records that the alarm fired, and is no longer set.
    package mutating func hasGoneOff() {
        planned = nil
    }
}

/// A task that sleeps until the next wake-up. Each new setting replaces it.
package final class Alarm: Sendable {
    private let timeline: Timeline
    private let state = Locked<(number: Int, task: Task<Void, Never>?)>((0, nil))

    package init(_ timeline: Timeline) {
        self.timeline = timeline
    }

    /// Sets the alarm, unless a later setting has already arrived from the state machine.
    ///
    /// - Parameter wake: A closure that is called at that time.
    package func set(_ setting: AlarmPlan.Setting, wake: @escaping @Sendable () -> Void) {
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
