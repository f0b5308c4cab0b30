import Errand

/// Fetches the signed-in user several times with a token that expires, and shows each refresh.
struct LoginCommand {
    /// The number of calls: enough for a token of the embedded server to expire twice.
    private static let calls = 7

    let credentials: Credentials
    let client: Client
    let out: Output
    let clock: any Clock<Duration>
    let now: @Sendable () -> Date

    func run() async throws {
        out.line(
            "\(Self.calls) calls with a token. Where the server refuses it, it is refreshed, and the call goes on.")
        let account = Account(credentials, at: client.service) { [out] number, calls in
            let replacing = number > 1 ? ", in place of token \(number - 1)" : ""
            out.line("token \(number)\(replacing): good for \(calls) calls")
        }
        let client = client.behind(TokenAuthentication(account, clock: clock, now: now))
        for call in 1...Self.calls {
            let user = try await client.send(MeRequest())
            out.line("call \(call), with token \(await account.tokenCount): \(user.name.onOneLine)")
        }
    }
}
