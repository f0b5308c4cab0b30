import Errand
import Testing

@testable import placeholder

struct `A command line` {
    private static let url = URL(string: "http://127.0.0.1:8080/v1")

    private static func show(
        _ kind: ResourceKind, _ extent: Invocation.Selection.Extent = .all, isJSON: Bool = false
    ) -> Invocation {
        Invocation(command: .show(Invocation.Selection(kind: kind, extent: extent, isJSON: isJSON)))
    }

    private static let good: [(String, Invocation)] = [
        ("", Invocation(command: .tour)),
        ("--verbose", Invocation(command: .tour, isVerbose: true)),
        ("--base-url http://127.0.0.1:8080/v1", Invocation(command: .tour, baseURL: url)),
        ("--base-url=http://127.0.0.1:8080/v1", Invocation(command: .tour, baseURL: url)),
        ("users", show(.users)), ("posts", show(.posts)), ("comments", show(.comments)), ("todos", show(.todos)),
        ("albums", show(.albums)), ("photos", show(.photos)),
        ("posts --id 3", show(.posts, .one(id: 3))),
        ("--id=3 posts", show(.posts, .one(id: 3))),
        ("posts --id 3 --id 4", show(.posts, .one(id: 4))),
        ("todos --user 2 --json", show(.todos, .ofUser(id: 2), isJSON: true)),
        ("--help", Invocation(command: .help)),
        ("frogs --id -h", Invocation(command: .help)),
    ]

    @Test(arguments: good)
    func `is understood`(_ line: String, _ expected: Invocation) throws {
        #expect(try Invocation(arguments: line.split(separator: " ").map(String.init)) == expected)
    }

    @Test(arguments: [
        (["frogs"], "unknown word \"frogs\"; the collections are users, posts, comments, todos, albums, photos"),
        ([""], "unknown word \"\"; the collections are users, posts, comments, todos, albums, photos"),
        (["users", "--frob"], "unknown option \"--frob\"; --help lists them"),
        (["users", "-x"], "unknown option \"-x\"; --help lists them"),
        (["users", "posts"], "one collection at a time, not users and posts"),
        (["users", "--id"], "--id needs a value"),
        (["users", "--id", "--json"], "--id needs a value"),
        (["users", "--id", "x"], "--id takes a whole number above zero, not \"x\""),
        (["users", "--user=0"], "--user takes a whole number above zero, not \"0\""),
        (["users", "--id", "-4"], "--id takes a whole number above zero, not \"-4\""),
        (["users", "--id="], "--id takes a whole number above zero, not \"\""),
        (["users", "--id", "1", "--user", "2"], "--id and --user do not go together"),
        (
            ["--json"],
            "--id, --user and --json go with a collection: users, posts, comments, todos, albums, photos"
        ),
        (["--base-url", "ftp://me:word@host"], "--base-url takes an http or https URL, such as http://127.0.0.1:8080"),
        (["--base-url", "http://"], "--base-url takes an http or https URL, such as http://127.0.0.1:8080"),
        (["--base-url", "host:80"], "--base-url takes an http or https URL, such as http://127.0.0.1:8080"),
    ])
    func `that means nothing is told why`(_ arguments: [String], _ message: String) {
        #expect(throws: UsageError(message)) { try Invocation(arguments: arguments) }
    }
}
