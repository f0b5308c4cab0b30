#if canImport(CCurl)
/// Whether a head is an answer, or one that libcurl answers itself: a challenge, when it has a credential.
///
/// libcurl tells of the head before it has decided. It has decided against it when it tells of a body or of the end, and for
/// it when it is about to send again.
enum HopChallenge {
    /// Every head is an answer.
    case none
    /// The first head may be a challenge.
    case expected
    /// A head has come that libcurl may answer.
    case open

    /// A head has come.
    ///
    /// - Parameter isWithoutBody: Whether libcurl has kept the body back, for when it has met the challenge. Then it sends
    ///   once more also after a success, which was that of an empty body.
    mutating func meet(_ status: Int, isWithoutBody: Bool) {
        guard self == .expected else { return }
        self = status == 401 || (isWithoutBody && status < 300) ? .open : .none
    }
}
#endif
