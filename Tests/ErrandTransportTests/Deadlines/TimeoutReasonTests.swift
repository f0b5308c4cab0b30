import Testing

@testable import Errand

struct `The reason of a timeout` {
    @Test func `a timeout reason names the limit, its length and what the transfer waited for`() {
        let idle = TimeoutReason.Limit.idle(.seconds(60))
        let total = TimeoutReason.Limit.total(.milliseconds(700))
        #expect("\(TimeoutReason(idle, .response))" == "timed out after 60 s without a byte from the server")
        #expect(
            "\(TimeoutReason(idle, .nameLookup(host: "a.example")))"
                == "timed out after 60 s while looking up the host name \"a.example\"")
        #expect("\(TimeoutReason(total, .response))" == "timed out after 0.7 s in all")
        #expect(
            "\(TimeoutReason(total, .requestBody))" == "timed out after 0.7 s in all, while reading the request's body")
        #expect("\(TimeoutReason(.connecting(.seconds(10)), .response))" == "timed out after 10 s while connecting")
    }

    @Test(arguments: [
        (Duration.seconds(60), "60 s"), (.milliseconds(700), "0.7 s"), (.milliseconds(1050), "1.05 s"),
        (.microseconds(20), "0.00002 s"), (.nanoseconds(20), "0 s"), (.zero, "0 s"), (.seconds(-1), "0 s"),
        (.seconds(Int64.max), "9223372036854775807 s"), (.seconds(1e20), "9223372036854775807 s"),
    ])
    func `durations are described in seconds`(_ duration: Duration, _ text: String) {
        #expect(duration.secondsText == text)
    }

    @Test(arguments: [
        (Duration.seconds(30), "30 s"), (.seconds(29) + .microseconds(997_955), "30 s"), (.milliseconds(1050), "1.1 s"),
        (.milliseconds(20), "0.1 s"), (.nanoseconds(1), "0.1 s"), (.zero, "0 s"), (.seconds(-1), "0 s"),
        (.seconds(Int64.max), "3153600000 s"), (.milliseconds(1_180_700), "1180.7 s"),
    ])
    func `waits are described in seconds, rounded up to a tenth`(_ wait: Duration, _ text: String) {
        #expect(wait.waitText == text)
    }
}
