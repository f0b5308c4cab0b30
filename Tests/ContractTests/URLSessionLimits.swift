import TestSupport
import Testing

struct `Contract: what URLSession on Linux cannot do` {
    @Test func `every limit of URLSession on Linux is described in a sentence`() {
        let table = KnownLimit.allCases.map { "\($0.rawValue): \($0.sentence)" }
        print(
            "URLSession on Linux is left out of the contract for:", table.joined(separator: "\n- "), separator: "\n- ")
        #expect(Set(KnownLimit.allCases.map(\.sentence)).count == KnownLimit.allCases.count)
        for limit in KnownLimit.allCases { #expect(limit.sentence.hasSuffix(".") && limit.sentence.count > 20) }
    }

    #if canImport(CCurl)
    @Test func `no contract test is skipped for libcurl`() {
        for limit in KnownLimit.allCases { #expect(TransportUnderTest.without(limit) == [.curl]) }
    }
    #endif
}
