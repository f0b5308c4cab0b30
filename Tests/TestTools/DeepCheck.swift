package import Foundation
package import Testing

/// A step of the deep checks whose tests the gate leaves out: they take minutes, wait on real time, or need programs
/// and networks that a machine may not have. `.ci/deep` runs them.
package enum DeepCheck: String, Sendable {
    case exits
    case names
    case servers
    case soak
    case storm
    case timeLimits = "time-limits"

    /// Whether `ERRAND_DEEP` names this step.
    package var isEnabled: Bool { ProcessInfo.processInfo.environment["ERRAND_DEEP"] == rawValue }

    /// Why its tests are skipped.
    package var reason: String { "run .ci/deep \(rawValue), which sets ERRAND_DEEP=\(rawValue)" }
}

extension Trait where Self == ConditionTrait {
    /// Runs in this step of the deep checks only.
    package static func deep(_ check: DeepCheck) -> Self {
        .enabled(if: check.isEnabled, "\(check.reason)")
    }
}

extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs. A passing test takes less than a tenth of this limit, even beside four busy loops.
    package static var hangGuard: Self { .timeLimit(.minutes(10)) }
}

extension TimeInterval {
    /// A request's time limit that guards against a hang only: five times the default, which a machine that runs all
    /// tests at once can exceed.
    package static var hangGuard: TimeInterval { 300 }
}
