import Testing

@testable import Errand

struct `A validator of a representation` {
    private let date = "Sat, 21 Nov 2026 08:00:00 GMT"

    @Test func `a validator is a strong entity tag or a date that is old enough`() {
        #expect(RepresentationValidator(["ETag": "\"a\""]) == .entityTag("\"a\""))
        #expect(RepresentationValidator(["ETag": "\"\""]) == .entityTag("\"\""))
        let earlier = "Sat, 21 Nov 2026 07:59:59 GMT"
        #expect(RepresentationValidator(["Last-Modified": earlier, "Date": date]) == .lastModified(earlier))
        #expect(
            RepresentationValidator(["ETag": "\"a\"", "Last-Modified": earlier, "Date": date]) == .entityTag("\"a\""))
    }

    @Test(arguments: [
        [:], ["ETag": "W/\"a\""], ["ETag": "a"], ["ETag": "\""], ["ETag": "\"a b\""], ["ETag": ""],
        ["ETag": "\"a\", \"b\""],
        ["Last-Modified": "Sat, 21 Nov 2026 08:00:00 GMT", "Date": "Sat, 21 Nov 2026 08:00:00 GMT"],
        ["Last-Modified": "Sat, 21 Nov 2026 08:00:01 GMT", "Date": "Sat, 21 Nov 2026 08:00:00 GMT"],
        ["Last-Modified": "Sat, 21 Nov 2026 07:00:00 GMT"],
        ["Last-Modified": "yesterday", "Date": "Sat, 21 Nov 2026 08:00:00 GMT"],
        // If a response has an entity tag, even a weak one, its date must not be used as a validator.
        [
            "ETag": "W/\"a\"", "Last-Modified": "Sat, 21 Nov 2026 07:00:00 GMT",
            "Date": "Sat, 21 Nov 2026 08:00:00 GMT",
        ],
    ])
    func `weak validators are ignored`(_ fields: [String: String]) {
        #expect(RepresentationValidator(HeaderFields(fields.map { HeaderFields.Field($0.key, $0.value) })) == nil)
    }

    @Test func `two entity tags are not a validator`() {
        var headers: HeaderFields = ["ETag": "\"a\""]
        headers.add("ETag", "\"b\"")
        #expect(RepresentationValidator(headers) == nil)
    }

    @Test func `a validator is contradicted by a different one, but not by none`() {
        let tag = RepresentationValidator.entityTag("\"a\"")
        #expect(!tag.isContradicted(by: [:]))
        #expect(!tag.isContradicted(by: ["ETag": "\"a\""]))
        #expect(tag.isContradicted(by: ["ETag": "\"b\""]))
        #expect(tag.isContradicted(by: ["ETag": "W/\"a\""]))
        #expect(RepresentationValidator.lastModified(date).isContradicted(by: ["Last-Modified": "another"]))
    }
}
