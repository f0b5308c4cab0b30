extension OAuthClient {
    /// Begins the device code flow: requests the code that the user enters on another device (RFC 8628, section 3.1).
    ///
    /// - Parameters:
    ///   - scope: What the tokens have to allow; empty by default, which leaves it to the server.
    ///   - parameters: Other fields of the request. Those of the protocol cannot be replaced.
    /// - Throws: ``ErrandError`` with `invalidURL` without a valid device authorization endpoint; otherwise as ``refreshedTokens(_:)``.
    public func deviceAuthorization(
        scope: [String] = [], parameters: [String: String] = [:]
    ) async throws -> OAuthDeviceAuthorization {
        var form = OAuthForm([:], scope: scope, others: parameters)
        // Also a client that authenticates itself otherwise names itself (RFC 8628, section 3.1).
        form.add("client_id", id)
        let document = try await send(form, to: server.deviceAuthorizationEndpoint, "device authorization endpoint")
        guard let lifetime = document.duration("expires_in") else {
            throw document.failure(.decodingFailed, "the response has no `expires_in`")
        }
        return OAuthDeviceAuthorization(
            userCode: try document.text("user_code"),
            verificationURI: try document.url("verification_uri", or: "verification_url"),
            verificationURIComplete: document.optionalURL("verification_uri_complete"), lifetime: lifetime,
            interval: max(document.duration("interval") ?? .seconds(5), .seconds(1)),
            code: Secret(try document.text("device_code")), scope: scope, timeline: Timeline(clock))
    }

    /// Waits until the user has allowed or refused a device, and returns the tokens.
    ///
    /// It waits for the interval of the server on the client's clock before each request. `authorization_pending` lets it wait again,
    /// `slow_down` makes the interval 5 seconds longer, and a failure of the network doubles it. It ends with the first response after the
    /// time of the code is over. Call it once for each device; after it was cancelled, another call goes on.
    ///
    /// - Parameter device: What ``deviceAuthorization(scope:parameters:)`` returned.
    /// - Throws: ``OAuthError`` with ``OAuthError/Code/accessDenied`` if the user refused, with ``OAuthError/Code/expiredToken`` if the time
    ///   is over; ``ErrandError`` with `cancelled` as soon as the task is cancelled; otherwise as ``refreshedTokens(_:)``.
    public func tokens(for device: OAuthDeviceAuthorization) async throws -> OAuthTokens {
        var polling = DevicePolling(interval: device.interval, end: device.lifetime)
        var form = OAuthForm(["grant_type": "urn:ietf:params:oauth:grant-type:device_code"])
        form.add("device_code", secret: device.code)
        form.add("client_id", id)
        while true {
            do {
                try await device.timeline.sleep(until: device.timeline.now + polling.interval)
            } catch {
                throw ErrandError(.cancelled)
            }
            do {
                return try await requestTokens(form, scope: device.scope)
            } catch {
                if let end = polling.failed(error, now: device.timeline.now) { throw end }
            }
        }
    }
}
