#if canImport(CCurl)
@testable import Errand
import Testing

struct `A head that libcurl may respond to itself` {
    @Test(arguments: [
        (401, false, HopChallenge.open), (401, true, .open), (200, true, .open), (204, true, .open),
        (200, false, .none), (302, true, .none), (403, true, .none), (407, true, .none), (500, true, .none),
    ])
    func `an expected challenge is open after a 401 or a success without a body`(
        _ status: Int, _ isWithoutBody: Bool, _ expected: HopChallenge
    ) {
        var challenge = HopChallenge.expected
        challenge.handle(status, isWithoutBody: isWithoutBody)
        #expect(challenge == expected)
    }

    @Test func `only the first response can be the expected challenge`() {
        var challenge = HopChallenge.expected
        challenge.handle(500, isWithoutBody: false)
        challenge.handle(401, isWithoutBody: false)
        #expect(challenge == .none)
    }
}
#endif
