/// The command line of `errand-openapi`.
struct Arguments {
    struct Failure: Error {
        let message: String
        /// Whether the usage helps: not for a fault of the configuration.
        var showsUsage = true
    }

    static let usage = """
        usage: errand-openapi DOCUMENT --output FOLDER [--tests FOLDER] [--stubs FOLDER] [--config FILE]
                              [--name NAME] [--module NAME] [--tag TAG] [--path PREFIX] [--operation ID]
                              [--schema NAME] [--access public|package|internal] [--check] [--strict]
                              [--force] [--dry-run] [--report FILE]
               errand-openapi diff OLD NEW [--config FILE] [--name NAME] [--module NAME]
                              [--tag TAG] [--path PREFIX] [--operation ID] [--schema NAME] [--report FILE]
               swift package generate-api [--target NAME] [--check] [--strict] [--force] [--dry-run]
        """

    var document = ""
    /// The older document of `diff`; `nil` for another command.
    var oldDocument: String?
    var output: String?
    var tests: String?
    var stubs: String?
    var configuration: String?
    var name: String?
    var module: String?
    var access: String?
    var filter = DocumentFilter()
    var checks = false
    var isStrict = false
    var force = false
    var isDryRun = false
    var report: String?

    init(_ words: [String]) throws(Failure) {
        var rest = words[...]
        let isDiff = rest.first == "diff"
        if isDiff { rest.removeFirst() }
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else {
                if isDiff, oldDocument == nil {
                    oldDocument = word
                } else if document.isEmpty {
                    document = word
                } else {
                    throw Failure(message: "unexpected argument \"\(word)\"")
                }
                continue
            }
            guard !isDiff || Self.optionsOfDiff.contains(word) || !Self.options.contains(word) else {
                throw Failure(message: "diff does not have the option \(word)")
            }
            switch word {
            case "--check": checks = true
            case "--strict": isStrict = true
            case "--force": force = true
            case "--dry-run": isDryRun = true
            default:
                let value = rest.popFirst()
                guard value != nil || !Self.options.contains(word) else {
                    throw Failure(message: "\(word) needs a value")
                }
                try set(word, value ?? "")
            }
        }
        guard !isDiff || !document.isEmpty else { throw Failure(message: "diff needs the old and the new document") }
    }

    private static let optionsOfDiff: Set<String> = [
        "--config", "--name", "--module", "--tag", "--path", "--operation", "--schema", "--report",
    ]
    private static let options = [
        "--output", "--tests", "--stubs", "--config", "--name", "--module", "--tag", "--path", "--operation",
        "--schema", "--access", "--check", "--strict", "--force", "--dry-run", "--report", "--help",
    ]

    private mutating func set(_ word: String, _ value: String) throws(Failure) {
        switch word {
        case "--output": output = value
        case "--tests": tests = value
        case "--stubs": stubs = value
        case "--config": configuration = value
        case "--name": name = value
        case "--module": module = value
        case "--tag": filter.tags.insert(value)
        case "--path": filter.paths.append(value)
        case "--operation": filter.ids.insert(value)
        case "--schema": filter.schemas.insert(value)
        case "--report": report = value
        case "--access": access = try Self.access(value)
        default:
            let hint = SimilarNames.hint(for: word, among: Self.options)
            throw Failure(message: "`\(word)` is unknown\(hint)", showsUsage: hint.isEmpty)
        }
    }

    /// Checks an access level.
    static func access(_ value: String) throws(Failure) -> String {
        guard ["public", "package", "internal"].contains(value) else {
            throw Failure(message: "the access is public, package or internal, not \"\(value)\"")
        }
        return value
    }
}
