import Errand

extension Cassette {
    /// What a cassette leaves out of its file: `***` stands for it, and in JSON and forms `redacted`, which can be used
    /// as a token when it is replayed.
    ///
    /// ```swift
    /// var redaction = Cassette.Redaction()
    /// redaction.hiddenKeys.insert("iban")
    /// redaction.response = { response in response.headers.removeAll { $0.name == "X-Debug" } }
    /// ```
    ///
    /// A request or an answer is redacted before the cassette keeps it; only an answer that is read as it comes is held as
    /// it came, until its body has ended. When a cassette replays, what is sent is redacted in the same way before it
    /// is compared.
    ///
    /// User info and fragments of URLs are always left out. What cannot be read is not searched: a body in a format of its
    /// own, a compressed one, and a path, where a secret does not belong.
    public struct Redaction: Sendable {
        /// The names of secrets, by default those that logs hide too: of header fields, of query items, of the fields of
        /// forms, of the keys in JSON, and in other text.
        ///
        /// They are compared as `LogDisclosure.hiddenKeys` says: `token` also hides `accessToken`, `X-Auth-Tokens` and
        /// `token_value`, but not `token_type` or `max_tokens`. JSON keeps its shape: `"redacted"` stands for texts and 0
        /// for numbers.
        public var hiddenKeys = LogDisclosure.defaultHiddenKeys
        /// The names of query items and of the fields of forms that are hidden as a whole name, in any case: `key`, `sig`,
        /// `auth`, `sid`, `pass`, `assertion` and `code` by default.
        public var hiddenItems = SecretNames.defaultItems
        /// More names of header fields, in any case.
        public var hiddenFields: Set<String> = []
        /// Changes what is kept of a request, and of each that is compared with it; called behind everything else.
        public var request: (@Sendable (inout HAR.Request) -> Void)?
        /// Changes what is kept of an answer; called behind everything else.
        public var response: (@Sendable (inout HAR.Response) -> Void)?

        /// What is mostly a secret.
        public init() {}

        /// What stands for a secret.
        static let placeholder = "***"
    }
}
