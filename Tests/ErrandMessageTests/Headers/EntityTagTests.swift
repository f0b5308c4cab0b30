import Errand
import Testing

struct `An entity tag` {
    @Test(arguments: [
        ("\"\"", "", false), ("\"xyzzy\"", "xyzzy", false), ("W/\"xyzzy\"", "xyzzy", true), (" \"a\"\t", "a", false),
        ("\"a,b\\c\"", "a,b\\c", false), ("\"ü\"", "ü", false),
    ]) func `an entity tag is parsed and written`(_ field: String, _ value: String, _ isWeak: Bool) throws {
        let tag = try #require(EntityTag(field: field))
        #expect(tag.value == value && tag.isWeak == isWeak)
        #expect(tag.description == field.trimmingCharacters(in: .whitespaces))
        #expect(EntityTag(value, isWeak: isWeak) == tag)
    }

    @Test(arguments: [
        "", "a", "\"a", "a\"", "w/\"a\"", "W\"a\"", "W/a", "\"a\"b", "\"a b\"", "\"a\"\"", "*", "\"a\", \"b\"",
    ])
    func `a malformed entity tag is invalid`(_ field: String) {
        #expect(EntityTag(field: field) == nil)
    }

    @Test(arguments: ["a b", "a\"", "\u{7F}", "a\nb"])
    func `an entity tag with disallowed characters is invalid`(_ value: String) {
        #expect(EntityTag(value) == nil)
    }

    @Test func `a literal is a tag, or the value of a header field`() {
        let literals: [EntityTag] = ["", "xyzzy", "ü", "\"xyzzy\"", "W/\"xyzzy\"", "W/xyzzy"]
        #expect(literals.map(\.value) == ["", "xyzzy", "ü", "xyzzy", "xyzzy", "W/xyzzy"])
        #expect(literals.map(\.isWeak) == [false, false, false, false, true, false])
        var headers = HeaderFields()
        headers.ifMatch = ["1"]
        headers.ifNoneMatch = ["2", "W/\"3\""]
        #expect(headers["If-Match"] == "\"1\"" && headers["If-None-Match"] == "\"2\", W/\"3\"")
    }

    @Test func `an invalid literal ends the program when it is used`() async {
        await #expect(processExitsWith: .failure) { _ = "a b" as EntityTag }
        await #expect(processExitsWith: .failure) { _ = "a\"" as EntityTag }
    }

    /// RFC 9110, section 8.8.3.2.
    @Test(arguments: [
        ("W/\"1\"", "W/\"1\"", false, true), ("W/\"1\"", "W/\"2\"", false, false), ("W/\"1\"", "\"1\"", false, true),
        ("\"1\"", "\"1\"", true, true),
    ])
    func `entity tags are compared strongly and weakly`(
        _ one: String, _ other: String, _ strongly: Bool, _ weakly: Bool
    ) throws {
        let (one, other) = (try #require(EntityTag(field: one)), try #require(EntityTag(field: other)))
        #expect(one.isStronglyEqual(to: other) == strongly)
        #expect(one.isWeaklyEqual(to: other) == weakly)
    }

    @Test func `the entity tag of a response is read from and written to ETag`() {
        var headers: HeaderFields = ["ETag": "W/\"1\""]
        #expect(headers.entityTag == EntityTag("1", isWeak: true))
        headers.entityTag = EntityTag("2")
        #expect(headers["ETag"] == "\"2\"")
        headers.entityTag = nil
        #expect(headers.isEmpty && headers.entityTag == nil)
    }

    @Test func `entity tags are written to If-Match and If-None-Match`() throws {
        let (one, two): (EntityTag, EntityTag) = ("1", try #require(EntityTag("2", isWeak: true)))
        var headers = HeaderFields()
        headers.ifMatch = [one]
        headers.ifNoneMatch = .any
        #expect(headers["If-Match"] == "\"1\"" && headers["If-None-Match"] == "*")
        #expect(headers.ifMatch == [one] && headers.ifNoneMatch == .any)
        headers.ifNoneMatch = [one, two]
        #expect(headers["If-None-Match"] == "\"1\", W/\"2\"")
        #expect(headers.ifNoneMatch == [one, two])
        headers.ifMatch = nil
        headers.ifNoneMatch = nil
        #expect(headers.isEmpty)
    }

    @Test func `an empty list of entity tags matches nothing`() {
        var headers = HeaderFields()
        headers.ifMatch = []
        headers.ifNoneMatch = []
        #expect(headers["If-Match"] == "W/\"\"" && headers["If-None-Match"] == nil)
    }

    @Test(
        arguments: [
            ("\"a\",\"b\"", ["a", "b"]), (" , \"a\" ,, W/\"b\" ,", ["a", "b"]), ("\"a\" \"b\"", nil), ("a", nil),
            ("", nil), ("*, \"a\"", nil),
            ("\"a", nil),
        ] as [(String, [String]?)])
    func `a list of entity tags is parsed from If-Match`(_ field: String, _ values: [String]?) {
        let headers: HeaderFields = ["If-Match": field]
        guard case .tags(let tags)? = headers.ifMatch else {
            #expect(values == nil && headers.ifMatch == nil)
            return
        }
        #expect(tags.map(\.value) == values)
    }
}
