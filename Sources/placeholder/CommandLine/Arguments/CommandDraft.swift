import Errand

/// A command while its arguments are read.
struct CommandDraft {
    /// The commands that have a name.
    private enum Verb: String, CaseIterable {
        case browse
        case login
        case flaky
        case download
        case upload
        case watch
        case chat

        /// Whether the next argument names a file.
        var takesName: Bool { self == .download || self == .upload }
    }

    var id: Int?
    var user: Int?
    var pageSize: Int?
    var limit: Int?
    var isJSON = false
    var isCached = false
    var output: String?
    var digest: FileDigest?
    private var verb: Verb?
    private var name: String?
    private var kind: ResourceKind?

    /// Takes an argument that is not an option.
    mutating func add(_ word: String) throws(UsageError) {
        if word.hasPrefix("-") { throw UsageError("unknown option \"\(word)\"; --help lists them") }
        if verb?.takesName == true, name == nil {
            name = word
        } else if let verb = Verb(rawValue: word) {
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

    /// The command, after all arguments are read.
    func command() throws(UsageError) -> Invocation.Command {
        let selects = id != nil || user != nil || isJSON || isCached
        if selects, verb != nil || kind == nil {
            throw UsageError("--id, --user, --json and --cache go with a collection alone: \(ResourceKind.choice)")
        }
        if pageSize != nil, verb != .browse { throw UsageError("--page-size goes with browse") }
        if output != nil || digest != nil, verb != .download {
            throw UsageError("--output and --sha256 go with download")
        }
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
        case (.download, nil):
            guard let name else { throw UsageError("download needs the name of a file") }
            return .download(name: name, output: output, digest: digest)
        case (.upload, nil):
            guard let name else { throw UsageError("upload needs a file") }
            return .upload(file: name)
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
