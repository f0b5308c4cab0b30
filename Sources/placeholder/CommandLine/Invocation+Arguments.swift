import Errand

extension Invocation {
    /// Reads the arguments, the program's name left out.
    ///
    /// Values may follow an option as the next argument or behind `=`; of an option given twice the last counts.
    init(arguments: [String]) throws(UsageError) {
        if arguments.contains(where: ["--help", "-h"].contains) {
            self.init(command: .help)
            return
        }
        var words = Words(arguments)
        var kind: ResourceKind?
        var watches = false
        var limit: Int?
        var id: Int?
        var user: Int?
        var isJSON = false
        self.init(command: .tour)
        while let word = words.next() {
            switch word {
            case "--id": id = try words.id(for: word)
            case "--user": user = try words.id(for: word)
            case "--json": isJSON = true
            case "--base-url": baseURL = try words.url(for: word)
            case "watch": watches = true
            case "--count": limit = try words.id(for: word)
            case "--verbose": isVerbose = true
            case "--timings": showsTimings = true
            default: kind = try Self.kind(word, after: kind)
            }
        }
        if watches {
            guard kind == nil, id == nil, user == nil, !isJSON else {
                throw UsageError("watch goes with --count and --base-url alone")
            }
            command = .watch(limit: limit)
        } else if limit != nil {
            throw UsageError("--count goes with watch")
        } else if let kind {
            let extent = try Selection.Extent(id: id, user: user)
            command = .show(Selection(kind: kind, extent: extent, isJSON: isJSON))
        } else if id != nil || user != nil || isJSON {
            throw UsageError("--id, --user and --json go with a collection: \(ResourceKind.choice)")
        }
    }

    private static func kind(_ word: String, after earlier: ResourceKind?) throws(UsageError) -> ResourceKind {
        if word.hasPrefix("-") { throw UsageError("unknown option \"\(word)\"; --help lists them") }
        guard let kind = ResourceKind(rawValue: word) else {
            throw UsageError("unknown word \"\(word)\"; the collections are \(ResourceKind.choice)")
        }
        if let earlier { throw UsageError("one collection at a time, not \(earlier) and \(kind)") }
        return kind
    }
}

extension Invocation.Selection.Extent {
    fileprivate init(id: Int?, user: Int?) throws(UsageError) {
        switch (id, user) {
        case (nil, nil): self = .all
        case (let id?, nil): self = .one(id: id)
        case (nil, let user?): self = .ofUser(id: user)
        case (_?, _?): throw UsageError("--id and --user do not go together")
        }
    }
}

extension ResourceKind {
    fileprivate static var choice: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

/// The arguments that have not been read yet.
private struct Words {
    private var words: ArraySlice<String>

    init(_ arguments: [String]) {
        let split = arguments.flatMap { argument in
            guard argument.hasPrefix("--") else { return [argument] }
            return argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        }
        words = split[...]
    }

    mutating func next() -> String? {
        words.popFirst()
    }

    mutating func id(for option: String) throws(UsageError) -> Int {
        let text = try value(for: option)
        guard let id = Int(text), id > 0 else {
            throw UsageError("\(option) takes a whole number above zero, not \"\(text)\"")
        }
        return id
    }

    /// The value is not quoted when it is refused: a URL may hold a password.
    mutating func url(for option: String) throws(UsageError) -> URL {
        let text = try value(for: option)
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()),
            let host = url.host, !host.isEmpty
        else { throw UsageError("\(option) takes an http or https URL, such as http://127.0.0.1:8080") }
        return url
    }

    private mutating func value(for option: String) throws(UsageError) -> String {
        guard let value = next(), !value.hasPrefix("--") else { throw UsageError("\(option) needs a value") }
        return value
    }
}
