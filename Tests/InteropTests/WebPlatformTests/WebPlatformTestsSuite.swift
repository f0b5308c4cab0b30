import Errand
import TestSupport
import Testing

/// The folder of web-platform-tests.
private let folder = ProcessInfo.processInfo.environment["ERRAND_WPT"]

/// The tables of web-platform-tests for `fetch` and for media types, with Errand. `.ci/deep wpt` names their folder.
///
/// A row is known by its number, from 1 on. A row of content types counts twice: as several fields, and as a list.
@Suite(.enabled(if: folder != nil), .hangGuard) struct `Public suite: web-platform-tests` {
    private static let invalidLength = "an invalid Content-Length fails the request (RFC 9112, 6.3)"
    private static let carriageReturn = "a carriage return in a line becomes a space (RFC 9112, 2.2)"
    private static let smallStatus = "a status is at least 100 (RFC 9110, 15)"
    private static let listOfTypes = "a comma separates the types of a list"

    @Test func `media types pass, except those with a stated reason`() throws {
        let folder = "mimesniff/mime-types/resources"
        check(
            "mime-types.json", try tables().mediaTypes("\(folder)/mime-types.json"), rows: 57,
            excused: [44: "a value may have any character that is not a control character"])
        check(
            "generated-mime-types.json", try tables().mediaTypes("\(folder)/generated-mime-types.json"), rows: 881,
            excused: [177: Self.listOfTypes, 178: Self.listOfTypes])
        check("content-types.json", try tables().contentTypes(), rows: 32, excused: [:])
    }

    @Test func `body lengths pass, except those with a stated reason`() async throws {
        let sameNumber = "030 and 30 are the same number"
        let invalid = Dictionary(uniqueKeysWithValues: (19...25).map { ($0, Self.invalidLength) })
        check(
            "content-lengths.json", try await tables().contentLengths(), rows: 28,
            excused: invalid.merging(
                [13: "an empty element of a list is ignored (RFC 9110, 5.6.1)", 27: sameNumber, 28: sameNumber]
            ) { $1 })
    }

    @Test func `heads pass, except those with a stated reason`() async throws {
        check(
            "lone-cr.window.js", try await tables().invalidResponses("fetch/h1-parsing/lone-cr.window.js"), rows: 8,
            excused: [2: Self.carriageReturn, 5: Self.carriageReturn, 6: Self.carriageReturn, 8: Self.carriageReturn])
        let incomplete = "fetch/h1-parsing/incomplete-response.window.js"
        check("incomplete-response.window.js", try await tables().invalidResponses(incomplete), rows: 4, excused: [:])
        check(
            "status-code.window.js", try await tables().statusCodes(), rows: 10,
            excused: [3: Self.smallStatus, 4: Self.smallStatus, 5: Self.smallStatus, 6: Self.smallStatus])
    }

    @Test func `redirected requests have the method and the body of web-platform-tests`() async throws {
        check("redirect-method.any.js", try await tables().redirects(), rows: 14, excused: [:])
    }

    private func tables() throws -> WebPlatformTables {
        WebPlatformTables(folder: URL(fileURLWithPath: try #require(folder)))
    }

    private func check(_ name: String, _ result: WebPlatformTables.Result, rows: Int, excused: [Int: String]) {
        print("wpt: \(result.rows - result.failures.count) of \(result.rows) rows of \(name) passed")
        #expect(result.rows == rows, "\(name)")
        for (row, difference) in result.failures.sorted(by: { $0.key < $1.key }) where excused[row] == nil {
            Issue.record("row \(row) of \(name): \(difference)")
        }
        #expect(Set(excused.keys).subtracting(result.failures.keys) == [], "these rows of \(name) pass now")
    }
}
