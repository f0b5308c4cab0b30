import Errand
import ErrandMockServer
import ErrandTesting
import XCTest

/// Cassettes in XCTest, which has no traits.
final class CassetteXCTests: XCTestCase {
    func testReplaysWithinARun() async throws {
        let server = try MockServer()
        server.on(.get, "/books") { _ in .text("Malafrena") }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("errand-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for mode in [Cassette.Mode.record, .replay] {
            let cassette = Cassette(
                at: folder.appendingPathComponent("books.har"), mode: mode, redacting: .keepingAll)
            let response = try await cassette.run { try await AnyRequest(server.url, "/books").start().value }
            XCTAssertEqual(String(decoding: response.data, as: UTF8.self), "Malafrena")
        }
        XCTAssertEqual(server.requests.count, 1)
    }
}
