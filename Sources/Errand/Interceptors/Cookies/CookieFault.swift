/// Why a `Set-Cookie` field is ignored.
enum CookieFault: String, Error {
    case controlCharacter = "the cookie contains a control character"
    case missingName = "the cookie has no name"
    case tooLong = "name and value of the cookie have more than 4096 bytes"
    case invalidURL = "the cookie is for a URL that is not an HTTP URL"
    case publicSuffix = "the domain of the cookie is a public suffix, which belongs to many owners"
    case otherDomain = "the domain of the cookie is not the host of the URL or a domain above it"
    case insecure = "a cookie with the attribute Secure needs a secure connection"
    case securePrefix = "a cookie whose name begins with __Secure- needs the attribute Secure"
    case hostPrefix = "a cookie whose name begins with __Host- needs Secure, Path=/ and no Domain"
    case overlaysSecure =
        "a cookie with the attribute Secure and the same name is stored, and the connection is not secure"
}
