#if canImport(CCurl)
@testable import Errand
import Testing

struct `A head that libcurl may answer itself` {
    @Test(arguments: [
        (401, false, HopChallenge.open), (401, true, .open), (200, true, .open), (204, true, .open),
        (200, false, .none), (302, true, .none), (403, true, .none), (407, true, .none), (500, true, .none),
    ])
    func `is a challenge, or the success of a body that was kept back`(
        _ status: Int, _ isWithoutBody: Bool, _ expected: HopChallenge
    ) {
        var challenge = HopChallenge.expected
        challenge.meet(status, isWithoutBody: isWithoutBody)
        #expect(challenge == expected)
    }

    @Test func `is the first one alone`() {
        var challenge = HopChallenge.expected
        challenge.meet(500, isWithoutBody: false)
        challenge.meet(401, isWithoutBody: false)
        #expect(challenge == .none)
    }
}
#endif
