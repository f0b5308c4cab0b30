import Foundation

/// The process for tests with a network wall.
package enum WallProcess {
    /// The variable of its environment.
    package static let name = "ERRAND_NETWORK_WALL"
    /// Whether this is that process.
    package static var isCurrent: Bool { ProcessInfo.processInfo.environment[name] != nil }
}
