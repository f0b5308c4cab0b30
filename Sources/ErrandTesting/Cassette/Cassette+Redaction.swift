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
        /// What the names end in whose values are hidden: of header fields, of query items, of the fields of forms and of the
        /// keys in JSON, and what looks like one of these in other text.
        ///
        /// They are compared in any case and however they are put together: `token` also hides `accessToken` and
        /// `X-Auth-Tokens`. JSON keeps its shape: `"redacted"` stands for texts and 0 for numbers.
        public var hiddenKeys = Redaction.defaultHiddenKeys
        /// More names of query items and of the fields of forms, whole, in any case.
        public var hiddenItems = Redaction.defaultHiddenItems
        /// More names of header fields, in any case.
        public var hiddenFields: Set<String> = []
        /// Changes what is kept of a request, and of each that is compared with it; called behind everything else.
        public var request: (@Sendable (inout HAR.Request) -> Void)?
        /// Changes what is kept of an answer; called behind everything else.
        public var response: (@Sendable (inout HAR.Response) -> Void)?

        /// What is mostly a secret.
        public init() {}

        /// The keys of a log's redaction, and those of signatures and of OAuth (RFC 6749, RFC 7521, RFC 7636).
        public static let defaultHiddenKeys = LogDisclosure.defaultHiddenKeys.union([
            "signature", "client_assertion", "code_verifier",
        ])
        /// `key`, `sig`, `auth`, `sid` and `pass`.
        public static let defaultHiddenItems: Set<String> = ["key", "sig", "auth", "sid", "pass"]

        /// What stands for a secret.
        static let placeholder = "***"
    }
}
