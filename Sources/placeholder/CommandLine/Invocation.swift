import Errand

/// What the user asks for: the command line, understood.
struct Invocation: Equatable {
    /// What is to be done.
    enum Command: Equatable {
        case help
        case tour
        case show(Selection)
        /// Shows changes as they happen, so many of them where it has a limit.
        case watch(limit: Int?)
    }

    /// Which resources are to be shown, and how.
    struct Selection: Equatable {
        /// All of a collection, or some of it.
        enum Extent: Equatable {
            case all
            case one(id: Int)
            case ofUser(id: Int)
        }

        var kind: ResourceKind
        var extent = Extent.all
        var isJSON = false
    }

    var command: Command
    /// Nil for the embedded server.
    var baseURL: URL?
    var isVerbose = false
    var showsTimings = false
}

/// A command line that means nothing, and why in one line.
struct UsageError: Error, Equatable {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}
