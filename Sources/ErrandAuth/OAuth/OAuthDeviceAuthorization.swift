public import Errand

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
        // Required of a client that has no secret (RFC 8628, section 3.1), and sent by every client.
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
    /// doubles the interval, up to the lifetime of the code. It ends with the first response or network failure after
    /// the code has expired. Call it once for each device. If the call is cancelled, a new call continues.
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
                if let failure = polling.failed(error, now: device.timeline.now) { throw failure }
            }
        }
    }
}

/// An authorization that the user grants on another device, such as a phone (RFC 8628, section 3.2).
///
/// ```swift
/// let device = try await client.deviceAuthorization(scope: ["books"])
/// print("Open \(device.verificationURI) and enter \(device.userCode)")
/// let tokens = try await client.tokens(for: device)
/// ```
///
/// Its description shows no code.
public struct OAuthDeviceAuthorization: Sendable {
    /// The code that the user enters. Show it unchanged.
    public let userCode: String
    /// The URL where the user enters the code.
    public let verificationURI: URL
    /// The URL with the code included, for a QR code; `nil` if the server sends none.
    public let verificationURIComplete: URL?
    /// The time for which the code is valid, measured from the response that contains it.
    public let lifetime: Duration
    /// The time between two requests for the tokens; 5 seconds if the server sends none, at least 1 second.
    public let interval: Duration
    let code: Secret
    let scope: [String]
    /// The time since the response.
    let timeline: Timeline
}

extension OAuthDeviceAuthorization: Confidential {
    /// The URL where the user enters the code, without the code.
    public var description: String { "OAuthDeviceAuthorization(\(verificationURI.redacted))" }
}

/// The state machine of the device code flow: decides when the client requests the tokens again (RFC 8628, section
/// 3.5).
struct DevicePolling: Sendable {
    /// The time between two requests.
    private(set) var interval: Duration
    /// The time when the code expires, counted from the response that contains it.
    let end: Duration

    private static let shortestInterval = Duration.seconds(1)
    /// The time that each `slow_down` adds to the interval.
    private static let slowDown = Duration.seconds(5)

    init(interval: Duration, end: Duration) {
        self.interval = max(interval, Self.shortestInterval)
        self.end = end
    }

    /// Records that a request has failed.
    ///
    /// - Parameter now: The time since the code was issued.
    /// - Returns: The error that ends the flow; `nil` if the flow continues.
    mutating func failed(_ error: any Error, now: Duration) -> (any Error)? {
        switch (error as? OAuthError)?.code {
        case .authorizationPending?: break
        case .slowDown?: interval += Self.slowDown
        // No response, so the flow continues. The lifetime of the code limits the growth of the interval, but does not
        // shorten it.
        case nil where error.isNetworkFailure: interval = min(interval * 2, max(end, interval))
        default: return error
        }
        // Checked only after a request, so the last one may be sent after the code has expired: the server decides
        // whether the user was in time.
        guard now < end else { return OAuthError(.expiredToken, message: "the device code has expired") }
        return nil
    }
}
