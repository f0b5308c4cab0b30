#if canImport(CCurl)
/// Whether a head is the response, or a challenge that libcurl responds to itself because it has a credential.
///
/// libcurl reports the head before it decides. If it then reports a body or the end, it does not respond to the
/// challenge. If it is about to send again, it does.
enum HopChallenge {
    /// Every head is the response.
    case none
    /// The first head may be a challenge.
    case expected
    /// A head has arrived that libcurl may respond to.
    case open

    /// Records that a head has arrived.
    ///
    /// - Parameter isWithoutBody: Whether libcurl withholds the body until it has responded to the challenge. Then
    ///   libcurl also sends the request again after a success, which was the response to an empty body.
    mutating func handle(_ status: Int, isWithoutBody: Bool) {
        guard self == .expected else { return }
        self = status == 401 || (isWithoutBody && status < 300) ? .open : .none
    }
}
#endif
