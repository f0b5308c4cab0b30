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
    /// doubles the interval, up to the lifetime of the code. So does a response that is not from the flow: one with the
    /// status 429 or 500 and higher, or with a body that is not an OAuth document, such as the page of a proxy. If such
    /// a response has a `Retry-After`, the next request waits for it. The call ends with tokens, with any other OAuth
    /// error, or with the first response or network failure after the code has expired.
    ///
    /// Call it once for each device. If the call is cancelled, a new call continues, with the interval of the earlier
    /// one.
    ///
    /// - Parameter device: The result of ``deviceAuthorization(scope:parameters:)``.
    /// - Throws: ``OAuthError`` with ``OAuthError/Code/accessDenied`` if the user denied the request, or with
    ///   ``OAuthError/Code/expiredToken`` if the code has expired; ``/Errand/ErrandError`` with `cancelled` as soon as
    ///   the task is cancelled; otherwise the errors of ``refreshedTokens(_:)``.
    public func tokens(for device: OAuthDeviceAuthorization) async throws -> OAuthTokens {
        var form = OAuthForm(["grant_type": "urn:ietf:params:oauth:grant-type:device_code"])
        form.add("device_code", secret: device.code)
        form.add("client_id", id)
        while true {
            do {
                let wait = device.polling.withLock { $0.wait }
                try await device.timeline.sleep(until: device.timeline.now + wait)
            } catch {
                throw ErrandError(.cancelled)
            }
            var retryAfter: Duration?
            let document: OAuthDocument
            do {
                let reply = try await reply(to: form, from: server.tokenEndpoint, "token endpoint")
                retryAfter = reply.response.headers.retryAfter(now: now())
                document = try reply.document()
            } catch {
                let time = device.timeline.now
                let failure = device.polling.withLock { $0.failed(error, retryAfter: retryAfter, now: time) }
                if let failure { throw failure }
                continue
            }
            return try document.tokens(scope: device.scope, now: now())
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
    /// The state of the flow, which outlives a call that is cancelled.
    let polling: Locked<DevicePolling>

    init(
        userCode: String, verificationURI: URL, verificationURIComplete: URL?, lifetime: Duration, interval: Duration,
        code: Secret, scope: [String], timeline: Timeline
    ) {
        self.userCode = userCode
        self.verificationURI = verificationURI
        self.verificationURIComplete = verificationURIComplete
        self.lifetime = lifetime
        self.interval = interval
        self.code = code
        self.scope = scope
        self.timeline = timeline
        polling = Locked(DevicePolling(interval: interval, end: lifetime))
    }
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
    /// The wait before the next request: the interval, or longer if the server requests it with `Retry-After`.
    private(set) var wait: Duration
    /// The time when the code expires, counted from the response that contains it.
    let end: Duration

    private static let shortestInterval = Duration.seconds(1)
    /// The time that each `slow_down` adds to the interval.
    private static let slowDown = Duration.seconds(5)

    init(interval: Duration, end: Duration) {
        self.interval = max(interval, Self.shortestInterval)
        wait = self.interval
        self.end = end
    }

    /// Records that a request has failed.
    ///
    /// - Parameters:
    ///   - retryAfter: The wait that the response requests; `nil` for none.
    ///   - now: The time since the code was issued.
    /// - Returns: The error that ends the flow; `nil` if the flow continues.
    mutating func failed(_ error: any Error, retryAfter: Duration? = nil, now: Duration) -> (any Error)? {
        switch (error as? OAuthError)?.code {
        case .authorizationPending?: break
        case .slowDown?: interval += Self.slowDown
        // The server has decided nothing, so the flow continues. The lifetime of the code limits the growth of the
        // interval, but does not shorten it.
        case _ where Self.saysNothing(error): interval = min(interval * 2, max(end, interval))
        default: return error
        }
        wait = max(interval, min(retryAfter ?? .zero, max(end - now, .zero)))
        // Checked only after a request, so the last one may be sent after the code has expired: the server decides
        // whether the user was in time.
        guard now < end else { return OAuthError(.expiredToken, message: "the device code has expired") }
        return nil
    }

    /// The codes that end the flow with every status code.
    private static let finalCodes: Set<OAuthError.Code> = [
        .accessDenied, .expiredToken, .invalidGrant, .invalidClient, .invalidRequest, .invalidScope,
        .unauthorizedClient, .unsupportedGrantType, .unsupportedResponseType,
    ]

    /// Returns `true` if an error does not say how the server has decided: there was no response, or it was not an
    /// OAuth document, or the server failed or is overloaded.
    private static func saysNothing(_ error: any Error) -> Bool {
        switch error {
        case let error as OAuthError: error.isTransient && !finalCodes.contains(error.code)
        case let error as ErrandError:
            error.isNetworkFailure || error.code == .unacceptableStatusCode || error.code == .decodingFailed
        default: error.isNetworkFailure
        }
    }
}
