/// A challenge from a server or a proxy: an authentication scheme and its parameters (RFC 9110, section 11.3).
///
/// ```swift
/// // WWW-Authenticate: Bearer realm="https://auth.example.com/token",service="registry",scope="repository:tools:pull"
/// let challenge = response.headers.authenticationChallenges.first { $0.hasScheme("Bearer") }
/// challenge?["scope"]                     // "repository:tools:pull"
/// ```
public struct AuthenticationChallenge: Hashable, Sendable {
    /// The scheme as received, such as `Bearer`; see ``hasScheme(_:)``.
    public let scheme: String
    /// The data that a scheme such as `Negotiate` has in place of parameters (`token68`); `nil` if it is missing.
    public let token: String?
    /// The parameters, such as `realm`, in order. Names are as received.
    public fileprivate(set) var parameters: [HeaderFields.Parameter]

    /// Returns the value of the first parameter with this name, without regard to case; `nil` if it is missing.
    public subscript(name: String) -> String? {
        parameters.first { $0.name.equalsIgnoringASCIICase(name) }?.value
    }

    /// The realm for which the credentials are valid; `nil` if it is missing.
    public var realm: String? { self["realm"] }

    /// Returns whether the scheme has this name, without regard to case.
    public func hasScheme(_ name: String) -> Bool { scheme.equalsIgnoringASCIICase(name) }
}

extension HeaderFields {
    /// The challenges of a server, from all its `WWW-Authenticate` fields, in order (RFC 9110, section 11.6.1).
    ///
    /// One field may have several challenges. Malformed parts are skipped.
    public var authenticationChallenges: [AuthenticationChallenge] {
        self[values: "WWW-Authenticate"].flatMap(AuthenticationChallenge.all)
    }

    /// The challenges of a proxy, from all its `Proxy-Authenticate` fields, in order (RFC 9110, section 11.7.1).
    public var proxyAuthenticationChallenges: [AuthenticationChallenge] {
        self[values: "Proxy-Authenticate"].flatMap(AuthenticationChallenge.all)
    }
}

extension AuthenticationChallenge {
    /// Returns the challenges of one field. A comma separates both challenges and parameters. A name with an equals
    /// sign and a value is a parameter of the challenge before it; any other name begins a challenge.
    static func all(in field: String) -> [AuthenticationChallenge] {
        var reader = ByteReader(Array(field.utf8)[...])
        var challenges: [AuthenticationChallenge] = []
        while !reader.isAtEnd {
            reader.skipSeparators()
            guard let name = reader.token() else {
                reader.skipElement()
                continue
            }
            if let value = reader.parameterValue() {
                // Without a challenge before it, the parameter is skipped.
                if let last = challenges.indices.last {
                    challenges[last].parameters.append(HeaderFields.Parameter(name: name, value: value))
                }
                reader.skipElement()
                continue
            }
            let isFollowedByBlank = reader.next?.isBlank == true
            reader.skipBlanks()
            // A parameter without a value, such as `opaque=`, is malformed.
            if reader.next == UInt8(ascii: "=") {
                reader.skipElement()
                continue
            }
            let token = isFollowedByBlank ? reader.token68() : nil
            challenges.append(AuthenticationChallenge(scheme: name, token: token, parameters: []))
        }
        return challenges
    }
}

extension AuthenticationChallenge: CustomStringConvertible {
    /// The scheme and the names of the parameters, without values.
    public var description: String { ([scheme] + parameters.map(\.name)).joined(separator: " ") }
}

extension ByteReader<ArraySlice<UInt8>> {
    /// Skips blanks and commas; elements of a list may be empty (RFC 9110, section 5.6.1).
    fileprivate mutating func skipSeparators() {
        _ = take { $0.isBlank || $0 == UInt8(ascii: ",") }
    }

    /// Skips to the next comma that is not in quotation marks.
    fileprivate mutating func skipElement() {
        while let byte = next, byte != UInt8(ascii: ",") {
            if quotedString() == nil { take() }
        }
    }

    /// Reads an equals sign and the value after it. Returns `nil`, and reads nothing, if this is not a parameter.
    fileprivate mutating func parameterValue() -> String? {
        var ahead = self
        ahead.skipBlanks()
        guard ahead.skip("=") else { return nil }
        ahead.skipBlanks()
        let value: String
        if let quoted = ahead.quotedString() {
            value = quoted
        } else {
            // Some servers omit the quotation marks although the value is not a token.
            let bytes = ahead.take { !$0.isBlank && $0 != UInt8(ascii: ",") }
            // A second equals sign ends a `token68`, so that this is not a parameter.
            guard !bytes.isEmpty, bytes.first != UInt8(ascii: "=") else { return nil }
            value = String(decoding: bytes, as: UTF8.self)
        }
        self = ahead
        return value
    }

    /// Reads letters, digits and `-._~+/`, followed by any number of `=`. Returns `nil`, and reads nothing, unless a
    /// comma or the end follows: other text belongs to a parameter, such as `realm="x"`.
    fileprivate mutating func token68() -> String? {
        var ahead = self
        var bytes = Array(ahead.take { $0.isToken68Character })
        guard !bytes.isEmpty else { return nil }
        bytes += ahead.take { $0 == UInt8(ascii: "=") }
        ahead.skipBlanks()
        guard ahead.isAtEnd || ahead.next == UInt8(ascii: ",") else { return nil }
        self = ahead
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var isToken68Character: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-._~+/".utf8.contains(self)
        }
    }
}
