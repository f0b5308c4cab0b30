import ErrandJSON
import TestTools
import Testing

struct `A JSON Patch` {
    private static func json(_ text: String) throws -> JSONValue {
        try FastJSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }

    private static func patch(_ text: String) throws -> JSONPatch {
        try FastJSONDecoder().decode(JSONPatch.self, from: Data(text.utf8))
    }

    /// RFC 6902, appendix A.
    @Test(arguments: [
        (#"{"foo": "bar"}"#, #"[{"op": "add", "path": "/baz", "value": "qux"}]"#, #"{"baz": "qux", "foo": "bar"}"#),
        (
            #"{"foo": ["bar", "baz"]}"#, #"[{"op": "add", "path": "/foo/1", "value": "qux"}]"#,
            #"{"foo": ["bar", "qux", "baz"]}"#
        ),
        (#"{"baz": "qux", "foo": "bar"}"#, #"[{"op": "remove", "path": "/baz"}]"#, #"{"foo": "bar"}"#),
        (#"{"foo": ["bar", "qux", "baz"]}"#, #"[{"op": "remove", "path": "/foo/1"}]"#, #"{"foo": ["bar", "baz"]}"#),
        (
            #"{"baz": "qux", "foo": "bar"}"#, #"[{"op": "replace", "path": "/baz", "value": "boo"}]"#,
            #"{"baz": "boo", "foo": "bar"}"#
        ),
        (
            #"{"foo": {"bar": "baz", "waldo": "fred"}, "qux": {"corge": "grault"}}"#,
            #"[{"op": "move", "from": "/foo/waldo", "path": "/qux/thud"}]"#,
            #"{"foo": {"bar": "baz"}, "qux": {"corge": "grault", "thud": "fred"}}"#
        ),
        (
            #"{"foo": ["all", "grass", "cows", "eat"]}"#, #"[{"op": "move", "from": "/foo/1", "path": "/foo/3"}]"#,
            #"{"foo": ["all", "cows", "eat", "grass"]}"#
        ),
        (
            #"{"baz": "qux", "foo": ["a", 2, "c"]}"#,
            #"[{"op": "test", "path": "/baz", "value": "qux"}, {"op": "test", "path": "/foo/1", "value": 2}]"#,
            #"{"baz": "qux", "foo": ["a", 2, "c"]}"#
        ),
        (
            #"{"foo": "bar"}"#, #"[{"op": "add", "path": "/child", "value": {"grandchild": {}}}]"#,
            #"{"foo": "bar", "child": {"grandchild": {}}}"#
        ),
        (
            #"{"foo": "bar"}"#, #"[{"op": "add", "path": "/baz", "value": "qux", "xyz": 123}]"#,
            #"{"foo": "bar", "baz": "qux"}"#
        ),
        (#"{"/": 9, "~1": 10}"#, #"[{"op": "test", "path": "/~01", "value": 10}]"#, #"{"/": 9, "~1": 10}"#),
        (
            #"{"foo": ["bar"]}"#, #"[{"op": "add", "path": "/foo/-", "value": ["abc", "def"]}]"#,
            #"{"foo": ["bar", ["abc", "def"]]}"#
        ),
        // More than the appendix.
        (#"{"a": 1}"#, #"[{"op": "replace", "path": "", "value": [1]}]"#, "[1]"),
        (#"{"": 1}"#, #"[{"op": "remove", "path": "/"}]"#, "{}"),
        (#"{"a": null}"#, #"[{"op": "replace", "path": "/a", "value": 1}]"#, #"{"a": 1}"#),
        (#"{"a": {"b": 1}}"#, #"[{"op": "copy", "from": "/a", "path": "/a/c"}]"#, #"{"a": {"b": 1, "c": {"b": 1}}}"#),
        (#"{"a": 1.0}"#, #"[{"op": "test", "path": "/a", "value": 1}]"#, #"{"a": 1}"#),
        (#"{"a": 1}"#, #"[{"op": "move", "from": "/a", "path": "/a"}]"#, #"{"a": 1}"#),
        (#"{"a": 1}"#, #"[{"op": "add", "path": "/a", "value": null}]"#, #"{"a": null}"#), ("1", "[]", "1"),
    ])
    func `a JSON Patch changes a document as RFC 6902 specifies`(
        _ document: String, _ patch: String, _ expected: String
    ) throws {
        let result = try Self.patch(patch).applied(to: Self.json(document))
        #expect(try result == Self.json(expected))
    }

    @Test(arguments: [
        (
            #"{"baz": "qux"}"#, #"[{"op": "test", "path": "/baz", "value": "bar"}]"#,
            #"the value at "/baz" is another one"#
        ),
        (
            #"{"foo": "bar"}"#, #"[{"op": "add", "path": "/baz/bat", "value": "qux"}]"#,
            #"the document has no value at "/baz/bat""#
        ),
        (
            #"{"/": 9, "~1": 10}"#, #"[{"op": "test", "path": "/~01", "value": "10"}]"#,
            #"the value at "/~01" is another one"#
        ),
        (#"{"a": [1]}"#, #"[{"op": "add", "path": "/a/2", "value": 1}]"#, #"the document has no value at "/a/2""#),
        (#"{"a": [1]}"#, #"[{"op": "add", "path": "/a/01", "value": 1}]"#, #"the document has no value at "/a/01""#),
        (#"{"a": [1]}"#, #"[{"op": "add", "path": "/a/-1", "value": 1}]"#, #"the document has no value at "/a/-1""#),
        (#"{"a": [1]}"#, #"[{"op": "remove", "path": "/a/-"}]"#, #"the document has no value at "/a/-""#),
        (#"{"a": [1]}"#, #"[{"op": "replace", "path": "/a/1", "value": 1}]"#, #"the document has no value at "/a/1""#),
        (#"{"a": 1}"#, #"[{"op": "remove", "path": "/b"}]"#, #"the document has no value at "/b""#),
        (#"{"a": 1}"#, #"[{"op": "replace", "path": "/b", "value": 1}]"#, #"the document has no value at "/b""#),
        (#"{"a": 1}"#, #"[{"op": "copy", "from": "/b", "path": "/c"}]"#, #"the document has no value at "/b""#),
        (#"{"a": {"b": 1}}"#, #"[{"op": "move", "from": "/a", "path": "/a/b"}]"#, #""/a" cannot be moved into itself"#),
        // A slash with a combining accent after it.
        (
            "[[1], {}]", #"[{"op": "move", "from": "/0", "path": "/0/\u0301x"}]"#,
            #""/0" cannot be moved into itself"#
        ),
        (#"{"a": 1}"#, #"[{"op": "remove", "path": ""}]"#, "the whole document cannot be removed"),
    ])
    func `a JSON Patch fails as a whole if one operation fails`(
        _ document: String, _ patch: String, _ reason: String
    ) throws {
        let operations = try Self.patch(patch).operations
        let document = try Self.json(document)
        let error = #expect(throws: JSONPatch.Failure.self) {
            try JSONPatch([.test("", document)] + operations).applied(to: document)
        }
        #expect(error?.operation == 1)
        #expect(error?.reason == reason)
        #expect(error.map { "\($0)" } == "operation 1: \(reason)")
    }

    @Test(arguments: [
        #"[{"op": "spam", "path": "/a"}]"#, #"[{"op": "add", "path": "/a"}]"#, #"[{"op": "add", "value": 1}]"#,
        #"[{"op": "add", "path": "a", "value": 1}]"#, #"[{"op": "remove", "path": "/~2"}]"#,
        #"[{"op": "remove", "path": "/a~"}]"#, #"[{"op": "move", "path": "/a"}]"#, "{}", "[1]",
    ])
    func `a JSON Patch operation without a required member fails to decode`(_ text: String) {
        #expect(throws: DecodingError.self) { try Self.patch(text) }
    }

    @Test func `a JSON Patch is encoded and decoded unchanged`() throws {
        let patch: JSONPatch = [
            .add("/a~1b", 1), .remove("/c"), .replace("", nil), .move(from: "/d", to: "/e"),
            .copy(from: "/f", to: "/g/-"),
            .test("/h", ["i": [true]]),
        ]
        let data = try FastJSONEncoder().encode(patch)
        #expect(try FastJSONDecoder().decode(JSONPatch.self, from: data) == patch)
        let text = try JSONValue(encoding: patch).description
        #expect(
            text.hasPrefix(
                #"[{"op":"add","path":"/a~1b","value":1},{"op":"remove","path":"/c"},{"op":"replace","path":"","value":null}"#
            ))
    }

    /// Pseudorandom documents that are the same in each run.
    private struct Documents {
        var seed: UInt64

        mutating func random(_ bound: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % bound
        }

        mutating func next(depth: Int = 3, withNull: Bool = true) -> JSONValue {
            switch random(depth > 0 ? 6 : 3) {
            case 0: return withNull ? .null : .bool(true)
            case 1: return .number(JSONNumber(random(3)))
            case 2: return .string(["", "a", "~/"][random(3)])
            case 3: return .array((0..<random(4)).map { _ in next(depth: depth - 1, withNull: withNull) })
            default:
                let keys = ["a", "b/c", "~d", "", "0"]
                return .object(
                    Dictionary(
                        (0..<random(5)).map { _ in (keys[random(5)], next(depth: depth - 1, withNull: withNull)) },
                        uniquingKeysWith: { $1 }))
            }
        }
    }

    @Test func `a JSON Patch made from two documents converts one into the other`() throws {
        var documents = Documents(seed: 11)
        for _ in 0..<2_000 {
            let (old, new) = (documents.next(), documents.next())
            let patch = JSONPatch(from: old, to: new)
            #expect(try patch.applied(to: old) == new)
            if old == new { #expect(patch.operations.isEmpty) }
        }
    }

    @Test func `a merge patch made from two documents without null converts one into the other`() {
        var documents = Documents(seed: 13)
        for _ in 0..<2_000 {
            let (old, new) = (documents.next(withNull: false), documents.next(withNull: false))
            let patch = JSONMergePatch(from: old, to: new)
            #expect(patch.applied(to: old) == new, "\(patch.document)")
        }
    }

    /// RFC 7396, appendix A.
    @Test(arguments: [
        (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
        (#"{"a":"b"}"#, #"{"a":null}"#, "{}"), (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
        (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
        (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
        (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#), (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
        (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, "null", "null"),
        (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
        (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#), ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
        ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ])
    func `a merge patch changes a document as RFC 7396 specifies`(
        _ document: String, _ patch: String, _ expected: String
    ) throws {
        let patch = try FastJSONDecoder().decode(JSONMergePatch.self, from: Data(patch.utf8))
        #expect(try patch.applied(to: Self.json(document)) == Self.json(expected))
    }
}
