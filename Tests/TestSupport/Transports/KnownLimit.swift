/// A feature that `URLSession` on Linux does not support.
///
/// Contract tests skip `URLSession` only through this table, so that every skipped case is listed.
package enum KnownLimit: String, CaseIterable {
    case addressesInBrackets
    case backPressure
    case bareLineFeeds
    case bodyBeforeItsResponse
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
    case switchedProtocols
    case trailers
    case unrequestedResponses

    /// What `URLSession` does instead.
    package var sentence: String {
        switch self {
        case .addressesInBrackets: "A URL whose host is an IPv6 address fails: no such host."
        case .backPressure:
            "A slow reader of a streamed body does not slow the server down: unread bytes are kept in memory."
        case .bareLineFeeds: "A head whose lines end with LF only makes the response fail."
        case .bodyBeforeItsResponse:
            "A body is read completely before it is sent, so no response can arrive before its end."
        case .bytesThatAreNoText: "A header field with a byte that is not valid UTF-8 makes the response fail."
        case .cancellationAtTheSocket:
            "A cancelled task is abandoned, and its connection stays until it ends by itself."
        case .closeInsideTheHead: "A close after the status line and before the end of the head traps."
        case .connectTimeout: "There is no timeout for connecting; the request's own timeout counts."
        case .connectionJustClosed: "A POST on a connection that the server has just closed may hang until its timeout."
        case .contradictingLengths: "Of several lengths, the last one counts, and the rest of the body is lost."
        case .cutCoding: "A truncated gzip body is accepted as complete."
        case .digest: "A Digest challenge traps if a credential is given, so a request with a credential is refused."
        case .endlessHead: "A head of any number of lines is collected in memory."
        case .expansion: "A small body that expands beyond the limit fails, but its expansion continues unseen."
        case .expectation: "An interim response (100 Continue) is not awaited."
        case .metrics: "Only the total and the bytes of the bodies are known."
        case .missingReason: "A status line without a reason phrase makes the response fail."
        case .redirectBodies: "The body of a redirect counts against the limit of the response's body."
        case .repeatedFields: "Repeated fields are joined by commas into one field, and their order is lost."
        case .resolvedHosts: "A name cannot be given an address other than by the name service."
        case .severalMembers: "A gzip body of several members fails."
        case .switchedProtocols: "After a response with status 101, the session waits until its timeout."
        case .trailers: "Trailers after a chunked body trap."
        case .unrequestedResponses:
            "A response that arrives on an idle connection is taken for that of the next request."
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
