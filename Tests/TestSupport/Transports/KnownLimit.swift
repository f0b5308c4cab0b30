/// What `URLSession` on Linux cannot do, and what happens there instead.
///
/// A case of the contract leaves it out through this table only, so nothing is left out in silence.
package enum KnownLimit: String, CaseIterable {
    case addressesInBrackets
    case backPressure
    case bareLineFeeds
    case bodyBeforeItsAnswer
    case bytesThatAreNoText
    case cancellationAtTheSocket
    case closeInsideTheHead
    case connectTimeout
    case connectionJustClosed
    case contradictingLengths
    case cutCoding
    case digest
    case endlessHead
    case expansion
    case expectation
    case metrics
    case missingReason
    case redirectBodies
    case repeatedFields
    case resolvedHosts
    case severalMembers
    case trailers
    case unaskedAnswers

    /// What happens instead.
    package var sentence: String {
        switch self {
        case .addressesInBrackets: "A URL whose host is an IPv6 address fails: no such host."
        case .backPressure: "A slow reader of a streamed body slows nobody down: what was not read is kept in memory."
        case .bareLineFeeds: "A head whose lines end in LF alone fails the answer."
        case .bodyBeforeItsAnswer: "A body is read whole before it is sent, so no answer can come before its end."
        case .bytesThatAreNoText: "A header field with a byte that is no UTF-8 fails the answer."
        case .cancellationAtTheSocket:
            "A cancelled task is let go of, and its connection stays until it ends by itself."
        case .closeInsideTheHead: "A close behind the status line and before the end of the head traps."
        case .connectTimeout: "There is none for connecting; the request's own counts."
        case .connectionJustClosed: "A POST on a connection that the server has just closed may hang to its timeout."
        case .contradictingLengths: "Of several lengths the last one counts, and the rest of the body is lost."
        case .cutCoding: "A gzip body that is cut short passes for whole."
        case .digest: "A Digest challenge cannot be met, so a request that may have to is refused."
        case .endlessHead: "A head of any number of lines is collected in memory."
        case .expansion: "A small body that expands beyond the limit fails, but goes on expanding where nobody sees it."
        case .expectation: "An interim answer (100 Continue) is not waited for."
        case .metrics: "The total and the bytes of the bodies are known, and nothing else."
        case .missingReason: "A status line without a reason phrase fails the answer."
        case .redirectBodies: "The body of a redirect counts against the limit of the answer's."
        case .repeatedFields: "Repeated fields come as one, joined by commas, and their order is lost."
        case .resolvedHosts: "A name cannot be given an address other than by the name service."
        case .severalMembers: "A gzip body of several members fails."
        case .trailers: "Trailers behind a chunked body trap."
        case .unaskedAnswers: "An answer that comes while a connection is idle is taken for that of the next request."
        }
    }
}

extension TransportUnderTest {
    /// The transports without this limit.
    package static func without(_ limit: KnownLimit) -> [TransportUnderTest] {
        allCases.filter { !$0.limits.contains(limit) }
    }

    private var limits: [KnownLimit] {
        switch self {
        #if canImport(CCurl)
        case .curl: []
        #endif
        case .urlSession: KnownLimit.allCases
        }
    }
}
