import Errand
import ErrandTesting
import XCTest

/// Stubs by route in XCTest, which has no traits.
final class RouteStubsXCTests: XCTestCase {
    func testStubsRespondWithinARun() async throws {
        let stubs = RouteStubs()
        stubs.on(.get, "/v1/volumes", try .json(encodable: [Volume.first]))
        let volumes = try await stubs.run { try await VolumesRequest().start().value }
        XCTAssertEqual(volumes, [.first])
    }

    func testARunThrowsAtItsEndForAnUnusedStub() async throws {
        let stubs = RouteStubs()
        stubs.on(.get, "/v1/volumes", .status(200))
        do {
            try await stubs.run {}
            XCTFail("nothing was thrown")
        } catch let failure as StubFailure {
            XCTAssertEqual(failure.problems.map(\.kind), [.unusedStub])
        }
    }
}
