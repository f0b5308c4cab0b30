import Errand

/// What the user asks for: the command line, understood.
struct Invocation: Equatable {
    /// What is to be done.
    enum Command: Equatable {
        case help
        case tour
        case show(Selection)
        case browse(ResourceKind, pageSize: Int)
        case login
        case flaky
        /// Nil for a file of the same name here.
        case download(name: String, output: String?, digest: FileDigest?)
        case upload(file: String)
        /// Ends after so many changes, where it has a limit.
        case watch(limit: Int?)
        case chat
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
        var isCached = false
    }

    /// Where the embedded server is while answers are cached: they are stored by their URLs, which have to be the same the
    /// next time.
    static let cachedPort: UInt16 = 18_617

    var command: Command
    /// Nil for the embedded server.
    var baseURL: URL?
    /// Where the embedded server is to be; nil leaves it to the command.
    var port: UInt16?
    var isVerbose = false
    var showsTimings = false

    /// Where the embedded server is to be; 0 for any port that is free.
    var embeddedPort: UInt16 {
        if let port { return port }
        guard case .show(let selection) = command, selection.isCached else { return 0 }
        return Self.cachedPort
    }
}

/// A command line that means nothing, and why in one line.
struct UsageError: Error, Equatable {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}
