import Errand

extension Cassette {
    /// The rules for removing secrets from the file of a cassette. A secret is replaced by `***`, or in JSON and forms
    /// by `redacted`, which can be used as a token during replay.
    ///
    /// ```swift
    /// var redaction = Cassette.Redaction()
    /// redaction.hiddenKeys.insert("iban")
    /// redaction.response = { response in response.headers.removeAll { $0.name == "X-Debug" } }
    /// ```
    ///
    /// A request or response is redacted before the cassette stores it. A streamed response is held unredacted in
    /// memory until its body has ended. During replay, the sent request is redacted in the same way before it is
    /// compared.
    ///
    /// User info and fragments of URLs are always removed. Secrets are found in JSON and forms, by the names of their
    /// values. Any other body is kept only if its type is in ``keptTypes``; a recording without it fails with
    /// `notRecorded`. Paths, and the texts of values, are not searched.
    public struct Redaction: Sendable {
        /// The names of secrets in header fields, query items, form fields and JSON; by default the names that logs
        /// hide.
        ///
        /// They are compared as a whole, in any case and without `_`, `-` and a leading `X-`: `access_token` also hides
        /// `accessToken` and `X-Access-Token`. JSON keeps its structure: strings become `"redacted"`, and numbers
        /// become 0.
        public var hiddenKeys = LogDisclosure.defaultHiddenKeys
        /// The names of query items and form fields that are hidden only as a whole name, in any case; by default
        /// `key`, `sig`, `auth`, `sid`, `pass`, `assertion`, `code`, and those that name the key or the policy of a
        /// signed URL: `Policy`, `Key-Pair-Id`, `AccessKeyId`, `AWSAccessKeyId`, `OSSAccessKeyId`, `GoogleAccessId` and
        /// `q-ak`.
        public var hiddenItems = SecretNames.defaultItems
        /// The media types of bodies that are kept although they are neither JSON nor forms, such as `text/html`,
        /// `image/*` or `*/*`; none by default. Nothing is removed from them.
        public var keptTypes: Set<String> = []
        /// Further names of header fields, in any case; none by default.
        public var hiddenFields: Set<String> = []
        /// Changes a recorded request, and each sent request that is compared with it; called after all other
        /// redaction.
        public var request: (@Sendable (inout HAR.Request) -> Void)?
        /// Changes a recorded response; called after all other redaction.
        public var response: (@Sendable (inout HAR.Response) -> Void)?

        /// Creates the default rules.
        public init() {}

        /// The text that replaces a secret.
        static let placeholder = "***"
    }
}
