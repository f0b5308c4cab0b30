import Errand

extension OAuthClient {
    /// Begins the device code flow: requests the code that the user enters on another device (RFC 8628, section 3.1).
    ///
    /// - Parameters:
    ///   - scope: The requested scope of the tokens; empty by default, and the server chooses it.
    ///   - parameters: Further parameters of the request. They do not replace parameters of the protocol.
    /// - Throws: ``/Errand/ErrandError`` with `invalidURL` if the device authorization endpoint is missing or invalid;
    ///   otherwise the errors of ``refreshedTokens(_:)``.
    public func deviceAuthorization(
        scope: [String] = [], parameters: [String: String] = [:]
    ) async throws -> OAuthDeviceAuthorization {
        var form = OAuthForm([:], scope: scope, others: parameters)
        // A client that authenticates itself in another way must send its identifier too (RFC 8628, section 3.1).
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

    /// Waits until the user has allowed or denied the request, and returns the tokens.
    ///
    /// Requests the tokens repeatedly, and waits before each request for the server's interval on the client's clock.
    /// It continues after `authorization_pending`; `slow_down` adds 5 seconds to the interval. A network failure
    /// doubles the interval, up to the lifetime of the code. It ends with the first response after the code has
    /// expired. Call it once for each device. If the call is cancelled, a new call continues.
    ///
    /// - Parameter device: The result of ``deviceAuthorization(scope:parameters:)``.
    /// - Throws: ``OAuthError`` with ``OAuthError/Code/accessDenied`` if the user denied the request, or with
    ///   ``OAuthError/Code/expiredToken`` if the code has expired; ``/Errand/ErrandError`` with `cancelled` as soon as
    ///   the task is cancelled; otherwise the errors of ``refreshedTokens(_:)``.
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
