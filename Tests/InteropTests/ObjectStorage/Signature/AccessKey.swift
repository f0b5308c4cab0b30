/// On whose behalf requests are signed.
struct AccessKey: Sendable {
    /// The public half, which is sent.
    var id: String
    /// The private half, which is not.
    var secret: String
    /// What belongs to a key that is lent for a while; nil for one that lasts.
    var sessionToken: String?
}

extension AccessKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The public half alone.
    var description: String { id }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
