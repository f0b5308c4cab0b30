import Errand

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
            case "--timings": showsTimings = true
            default: try draft.add(word)
            }
        }
        if baseURL != nil, port != nil { throw UsageError("--base-url and --port do not go together") }
        command = try draft.command()
    }
}
