import Errand

extension Program {
    /// Fetches the signed-in user several times with a token that expires, and shows each refresh.
    func login(on service: APIService<any Error>) async throws {
        // Enough calls for a token of the embedded server to expire twice.
        let calls = 7
        out.line("\(calls) calls with a token. Where the server refuses it, it is refreshed, and the call goes on.")
        var service = service
        // With a token, no sign-in is needed.
        service.settings.headers["Authorization"] = nil
        let account = Account(credentials, at: service) { [out] number, calls in
            let replacing = number > 1 ? ", in place of token \(number - 1)" : ""
            out.line("token \(number)\(replacing): good for \(calls) calls")
        }
        service = service.adding(TokenAuthentication(account, clock: clock, now: now))
        for call in 1...calls {
            let user = try await service.value(of: MeRequest())
            out.line("call \(call), with token \(await account.tokenCount): \(user.name.onOneLine)")
        }
    }

    /// The name and password from the environment; by default those of the only user of the embedded server.
    private var credentials: Credentials {
        Credentials(
            name: environment["PLACEHOLDER_NAME"] ?? TokenGate.credentials.name,
            password: environment["PLACEHOLDER_PASSWORD"] ?? TokenGate.credentials.password)
    }
}
