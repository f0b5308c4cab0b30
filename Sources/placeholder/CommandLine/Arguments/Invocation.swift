import Errand

/// The command line after parsing.
struct Invocation: Equatable {
    /// The command.
    enum Command: Equatable {
        case help
        case tour
        case show(Selection)
        case browse(ResourceKind, pageSize: Int)
        case login
        case flaky
        /// The path of the local file; `nil` for the same name in the current folder.
        case download(name: String, output: String?, digest: FileDigest?)
        case upload(file: String)
        /// Ends after this number of changes, if there is a limit.
        case watch(limit: Int?)
        case chat
    }

    /// The resources to show, and the format.
    struct Selection: Equatable {
        /// A collection, or a part of it.
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

    /// The port of the embedded server while responses are cached. Cached responses are found by their URLs, so the
    /// port must be the same next time.
    static let cachedPort: UInt16 = 18_617

    var command: Command
    /// The base URL; `nil` for the embedded server.
    var baseURL: URL?
    /// The port of the embedded server; `nil` if the command chooses it.
    var port: UInt16?
    var isVerbose = false

    /// The port of the embedded server; 0 for a free one.
    var embeddedPort: UInt16 {
        if let port { return port }
        guard case .show(let selection) = command, selection.isCached else { return 0 }
        return Self.cachedPort
    }
}

extension Invocation {
    /// Reads the arguments without the name of the program.
    ///
    /// A value is the next argument or follows `=`. If an option is given twice, the last one counts.
    init(arguments: [String]) throws(UsageError) {
        if arguments.contains(where: ["--help", "-h"].contains) {
            self.init(command: .help)
            return
        }
        var words = ArgumentWords(arguments)
        var draft = CommandDraft()
        self.init(command: .tour)
        while let word = words.next() {
            switch word {
            case "--id": draft.id = try words.count(for: word)
            case "--user": draft.user = try words.count(for: word)
            case "--json": draft.isJSON = true
            case "--cache": draft.isCached = true
            case "--count": draft.limit = try words.count(for: word)
            case "--page-size": draft.pageSize = try words.count(for: word)
            case "--output": draft.output = try words.value(for: word)
            case "--sha256": draft.digest = try words.digest(for: word)
            case "--base-url": baseURL = try words.url(for: word)
            case "--port": port = try words.port(for: word)
            case "--verbose": isVerbose = true
            default: try draft.add(word)
            }
        }
        if baseURL != nil, port != nil { throw UsageError("--base-url and --port do not go together") }
        command = try draft.command()
    }
}

/// An invalid command line, with the reason in one line.
struct UsageError: Error, Equatable {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}
