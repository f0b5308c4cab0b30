public import Errand

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

extension OAuthDeviceAuthorization: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL where the user enters the code, without the code.
    public var description: String { "OAuthDeviceAuthorization(\(verificationURI.redacted))" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The description alone, so that `dump` shows no code either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
