/// A command as far as it has been read.
struct CommandDraft {
    /// The commands that have a name.
    private enum Verb: String, CaseIterable {
        case browse
        case login
        case flaky
        case watch
        case chat
    }

    var id: Int?
    var user: Int?
    var pageSize: Int?
    var limit: Int?
    var isJSON = false
    var isCached = false
    private var verb: Verb?
    private var kind: ResourceKind?

    /// Takes a word that is no option.
    mutating func add(_ word: String) throws(UsageError) {
        if word.hasPrefix("-") { throw UsageError("unknown option \"\(word)\"; --help lists them") }
        if let verb = Verb(rawValue: word) {
            if let earlier = self.verb { throw UsageError("one command at a time, not \(earlier) and \(verb)") }
            self.verb = verb
        } else if let kind = ResourceKind(rawValue: word) {
            if let earlier = self.kind { throw UsageError("one collection at a time, not \(earlier) and \(kind)") }
            self.kind = kind
        } else {
            let verbs = Verb.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError(
                "unknown word \"\(word)\"; the collections are \(ResourceKind.choice), the commands \(verbs)")
        }
    }

    /// The command, now that all is read.
    func command() throws(UsageError) -> Invocation.Command {
        let selects = id != nil || user != nil || isJSON || isCached
        if selects, verb != nil || kind == nil {
            throw UsageError("--id, --user, --json and --cache go with a collection alone: \(ResourceKind.choice)")
        }
        if pageSize != nil, verb != .browse { throw UsageError("--page-size goes with browse") }
        if limit != nil, verb != .watch { throw UsageError("--count goes with watch") }
        switch (verb, kind) {
        case (nil, nil): return .tour
        case (nil, let kind?):
            let extent = try Invocation.Selection.Extent(id: id, user: user)
            return .show(Invocation.Selection(kind: kind, extent: extent, isJSON: isJSON, isCached: isCached))
        case (.browse, let kind?): return .browse(kind, pageSize: pageSize ?? 10)
        case (.browse, nil): throw UsageError("browse needs a collection: \(ResourceKind.choice)")
        case (.login, nil): return .login
        case (.flaky, nil): return .flaky
        case (.watch, nil): return .watch(limit: limit)
        case (.chat, nil): return .chat
        case (let verb?, _?): throw UsageError("\(verb) takes no collection")
        }
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
