#if canImport(CCurl)
import CCurl
import Testing

@testable import Errand

struct `A version of libcurl` {
    private func library(
        _ number: UInt32, tls: String = "OpenSSL/3.0.16", features: Int = CCURL_VERSION_HTTP2
    ) -> CurlLibrary {
        CurlLibrary(number: number, features: features, tls: tls)
    }

    @Test func `a version number has the name that libcurl uses`() {
        #expect(library(0x075801).name == "7.88.1")
        #expect(library(0x08_1300).name == "8.19.0")
    }

    /// The faults of versions that distributions ship, and of those in which a fault begins or ends.
    @Test(
        arguments: [
            (
                0x074C01,
                [
                    .needsAuthorityFile, .keepsConnectionsForever, .sendsUnasked, .waitsForLookups, .truncatesHTTP2,
                    .startsHTTP2Twice, .endsFailedStreams, .countsHeadsOnly,
                ]
            ),
            (
                0x074F01,
                [
                    .keepsConnectionsForever, .sendsUnasked, .waitsForLookups, .truncatesHTTP2, .startsHTTP2Twice,
                    .endsFailedStreams, .countsHeadsOnly,
                ]
            ),
            (0x075100, [.waitsForLookups, .truncatesHTTP2, .startsHTTP2Twice, .endsFailedStreams, .countsHeadsOnly]),
            (
                0x075400,
                [
                    .waitsForLookups, .truncatesHTTP2, .startsHTTP2Twice, .endsFailedStreams, .readsFreedFields,
                    .countsHeadsOnly,
                ]
            ),
            (0x075700, [.truncatesHTTP2, .startsHTTP2Twice, .endsFailedStreams, .readsFreedFields, .countsHeadsOnly]),
            (0x075801, [.startsHTTP2Twice, .endsFailedStreams, .readsFreedFields, .countsHeadsOnly]),
            (0x080001, [.endsFailedStreams, .readsFreedFields, .countsHeadsOnly]), (0x080100, [.countsHeadsOnly]),
            (0x080701, [.countsHeadsOnly]), (0x080800, []), (0x080E01, []),
        ] as [(UInt32, [CurlLibrary.Fault])])
    func `a version has the faults that have not ended`(_ number: UInt32, _ faults: [CurlLibrary.Fault]) {
        #expect(CurlLibrary.Fault.allCases.filter(library(number).has) == faults)
    }

    @Test func `no fault has ended before the oldest supported version`() {
        #expect(!library(0x074B00).isSupported)
        #expect(library(0x074C00).isSupported)
        #expect(CurlLibrary.Fault.allCases.allSatisfy { $0.versions.upperBound > 0x074C00 })
    }

    @Test func `HTTP/2 requires a libcurl built with it`() {
        #expect(library(0x080500).speaksHTTP2)
        #expect(!library(0x080500, features: 0).speaksHTTP2)
        #expect(!library(0x075700).speaksHTTP2)
    }

    @Test(arguments: [
        (0x074C00, true, false, true), (0x074C00, false, false, false), (0x075000, false, false, true),
        (0x075801, true, true, false), (0x080000, true, true, true),
    ])
    func `a connection is reused if nothing is sent or started twice`(
        _ number: Int, _ isIdempotent: Bool, _ hasPriorKnowledge: Bool, _ mayReuse: Bool
    ) {
        let library = library(UInt32(number))
        #expect(library.mayReuse(isIdempotent: isIdempotent, hasPriorKnowledge: hasPriorKnowledge) == mayReuse)
    }

    @Test(arguments: [
        ("OpenSSL/3.0.16", true), ("OpenSSL/1.1.1w", true), ("BoringSSL", true), ("GnuTLS/3.7.9", false), ("", false),
        ("(OpenSSL/3.0.16) GnuTLS/3.7.9", false),
    ])
    func `only some TLS libraries report how a connection ended`(_ tls: String, _ usesOpenSSL: Bool) {
        #expect(library(0x080500, tls: tls).usesOpenSSL == usesOpenSSL)
    }

    @Test func `the installed libcurl is supported`() {
        #expect(CurlLibrary.current.isSupported)
    }
}
#endif
