#if canImport(CCurl)
import CCurl
import Testing

@testable import Errand

struct `A version of libcurl` {
    private func version(_ number: UInt32, tls: String = "OpenSSL/3.0.16", features: Int = CCURL_VERSION_HTTP2)
        -> LibraryVersion
    {
        LibraryVersion(number: number, features: features, tls: tls)
    }

    @Test func `a version number has the name that libcurl uses`() {
        #expect(version(0x075801).name == "7.88.1")
        #expect(version(0x08_1300).name == "8.19.0")
    }

    /// The features of each version that distributions ship.
    @Test(
        arguments: [
            (0x074B00, false, false, false, false, false), (0x074C01, true, false, false, false, false),
            (0x075100, true, true, true, false, false), (0x075700, true, true, true, true, false),
            (0x075801, true, true, true, true, true), (0x080500, true, true, true, true, true),
        ] as [(UInt32, Bool, Bool, Bool, Bool, Bool)])
    func `a libcurl version supports the features of its release and earlier ones`(
        _ number: UInt32, _ isSupported: Bool, _ takesAuthorities: Bool, _ asks: Bool, _ leavesLookups: Bool,
        _ speaksHTTP2: Bool
    ) {
        let version = version(number)
        #expect(version.isSupported == isSupported)
        #expect(version.takesAuthoritiesFromMemory == takesAuthorities)
        #expect(version.asksBeforeSending == asks)
        #expect(version.leavesLookupsBehind == leavesLookups)
        #expect(version.speaksHTTP2 == speaksHTTP2)
    }

    @Test func `libcurl before 8.1 reports connection errors as ends of connections`() {
        #expect(version(0x075801).mistakesConnectionErrorsForEnds)
        #expect(version(0x080001).mistakesConnectionErrorsForEnds)
        #expect(!version(0x080100).mistakesConnectionErrorsForEnds)
    }

    @Test(
        arguments: [
            (0x074C00, true), (0x075301, true), (0x075400, false), (0x075801, false), (0x080001, false),
            (0x080100, true),
            (0x080E01, true),
        ] as [(UInt32, Bool)])
    func `handles of libcurl 7.84 to 8.0 keep a pointer to a freed field`(_ number: UInt32, _ isSafe: Bool) {
        #expect(version(number).keepsFreedFields != isSafe)
    }

    @Test func `HTTP/2 requires a libcurl built with it`() {
        #expect(!version(0x080500, features: 0).speaksHTTP2)
    }

    @Test(arguments: [
        ("OpenSSL/3.0.16", true), ("OpenSSL/1.1.1w", true), ("BoringSSL", true), ("GnuTLS/3.7.9", false), ("", false),
        ("(OpenSSL/3.0.16) GnuTLS/3.7.9", false),
    ])
    func `only some TLS libraries report how a connection ended`(_ tls: String, _ usesOpenSSL: Bool) {
        #expect(version(0x080500, tls: tls).usesOpenSSL == usesOpenSSL)
    }

    @Test func `the installed libcurl is supported`() {
        #expect(LibraryVersion.current.isSupported)
    }
}
#endif
