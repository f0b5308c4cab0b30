import Errand
import Testing

@testable import placeholder

struct `A command line` {
    private static let url = URL(string: "http://127.0.0.1:8080/v1")

    private static func show(
        _ kind: ResourceKind, _ extent: Invocation.Selection.Extent = .all, isJSON: Bool = false, isCached: Bool = false
    ) -> Invocation {
        let selection = Invocation.Selection(kind: kind, extent: extent, isJSON: isJSON, isCached: isCached)
        return Invocation(command: .show(selection))
    }

    private static let collections = "users, posts, comments, todos, albums, photos"
    private static let words =
        "the collections are \(collections), the commands browse, login, flaky, "
        + "download, upload, watch, chat"

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
        ("todos --cache", show(.todos, isCached: true)),
        ("browse posts", Invocation(command: .browse(.posts, pageSize: 10))),
        ("--page-size=3 photos browse", Invocation(command: .browse(.photos, pageSize: 3))),
        ("login", Invocation(command: .login)),
        ("download a.pdf", Invocation(command: .download(name: "a.pdf", output: nil, digest: nil))),
        ("download users --output x", Invocation(command: .download(name: "users", output: "x", digest: nil))),
        (
            "--sha256=\(String(repeating: "00", count: 32)) download login",
            Invocation(
                command: .download(name: "login", output: nil, digest: try? FileDigest(.sha256, bytes: Data(count: 32)))
            )
        ),
        ("upload flaky", Invocation(command: .upload(file: "flaky"))),
        ("watch", Invocation(command: .watch(limit: nil))),
        ("watch --count 3", Invocation(command: .watch(limit: 3))),
        ("login --port 8080", Invocation(command: .login, port: 8080)),
        ("--help", Invocation(command: .help)),
        ("frogs --id -h", Invocation(command: .help)),
    ]

    @Test(arguments: good)
    func `valid arguments are parsed`(_ line: String, _ expected: Invocation) throws {
        #expect(try Invocation(arguments: line.split(separator: " ").map(String.init)) == expected)
    }

    @Test(arguments: [
        (["frogs"], "unknown word \"frogs\"; \(words)"),
        ([""], "unknown word \"\"; \(words)"),
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
            "--id, --user, --json and --cache go with a collection alone: \(collections)"
        ),
        (["--cache"], "--id, --user, --json and --cache go with a collection alone: \(collections)"),
        (
            ["browse", "posts", "--id", "3"],
            "--id, --user, --json and --cache go with a collection alone: \(collections)"
        ),
        (["login", "--json"], "--id, --user, --json and --cache go with a collection alone: \(collections)"),
        (["browse"], "browse needs a collection: \(collections)"),
        (["browse", "posts", "--page-size", "0"], "--page-size takes a whole number above zero, not \"0\""),
        (["posts", "--page-size", "3"], "--page-size goes with browse"),
        (["login", "--page-size", "3"], "--page-size goes with browse"),
        (["flaky", "--count", "3"], "--count goes with watch"),
        (["watch", "users"], "watch takes no collection"),
        (["login", "flaky"], "one command at a time, not login and flaky"),
        (["users", "login"], "login takes no collection"),
        (["download"], "download needs the name of a file"),
        (["upload"], "upload needs a file"),
        (["download", "a", "frogs"], "unknown word \"frogs\"; \(words)"),
        (["users", "download", "a"], "download takes no collection"),
        (["download", "a", "--sha256", "12"], "--sha256 takes 64 hexadecimal digits"),
        (["upload", "a", "--output", "b"], "--output and --sha256 go with download"),
        (["--port", "0"], "--port takes a number from 1 to 65535, not \"0\""),
        (["--port", "65536"], "--port takes a number from 1 to 65535, not \"65536\""),
        (["--port=80", "--base-url=http://127.0.0.1"], "--base-url and --port do not go together"),
        (["--base-url", "ftp://me:word@host"], "--base-url takes an http or https URL, such as http://127.0.0.1:8080"),
        (["--base-url", "http://"], "--base-url takes an http or https URL, such as http://127.0.0.1:8080"),
        (["--base-url", "host:80"], "--base-url takes an http or https URL, such as http://127.0.0.1:8080"),
    ])
    func `invalid arguments fail with a reason`(_ arguments: [String], _ message: String) {
        #expect(throws: UsageError(message)) { try Invocation(arguments: arguments) }
    }

    @Test(arguments: [
        ("users", 0), ("users --cache", 18_617), ("users --cache --port 80", 80), ("browse users", 0),
        ("users --port 80", 80),
    ])
    func `the port of the embedded server is parsed`(_ line: String, _ port: UInt16) throws {
        let invocation = try Invocation(arguments: line.split(separator: " ").map(String.init))
        #expect(invocation.embeddedPort == port)
    }
}
