/// Names that the types of a document do not have.
///
/// A type of the module hides an imported one of the same name. In code of the user, which imports both, the name of
/// such a type would be ambiguous, or hide one of the standard library.
enum ReservedNames {
    static let types = Set((written + common).split(whereSeparator: \.isWhitespace).map(String.init))

    /// Names that the types in a page do not have: the associated types of `PageContent`, which the compiler infers.
    static let inPages: Set<String> = ["Items"]

    /// Names that generated clients, tests and stubs write or that the compiler infers, such as associated types.
    /// `.ci/deep-steps/openapi-names` compiles clients with all other names.
    private static let written = """
        APIBase APIKeyAuthentication APIService AllCases Any AsyncSequence AtomicOptionalRepresentation
        AtomicRepresentation BaseURL BasicAuthentication Bool BooleanLiteralType CalendarDate CaseIterable ClosedEnum
        Codable CodingKey CodingKeys CursorPage Data DataResponse Date Decimal Decodable Decoder DigestAuthentication
        DocumentStubs Double Encodable Encoder Error ExpressibleByStringLiteral ExtendedGraphemeClusterType Failure
        FastJSONDecoder FastJSONEncoder FloatLiteralType Hashable HeaderFields Indirect Int Int64 IntegerLiteralType
        Interceptor InterceptorList JSONContent JSONValue MultipartForm Nullable OAuthServer OpenEnum OperationStub
        Output PageContent PageInfo Pages PaginationStyle Pipeline Protocol RawValue Request RequestBody ResponseStream
        SchemeAuthentication SecuredAPI Self Sendable ServerSentEvent Set StatusDocument Stream StreamedPart
        StreamingRequest String StringLiteralType StubDocument StubStatus Type UInt64 URL URLQuery UnicodeScalarType
        Upload Void

        """

    /// Names that documents can have, and that code of users writes.
    private static let common = """
        AccessToken Actor AnyObject Array AttributedString BodyPart BodyStream Bundle ByteRange CGFloat Calendar
        CancellationError Cassette Character CharacterSet Clock Collection Comparable Comparator Completion ContentRange
        ContentDisposition ContentType CookieJar DateComponents DateInterval Dictionary Dimension DownloadedFile Duration
        Endpoint EntityTag Equatable ErrandError EventSource Executor Expression Failover FileHandle FileManager Fixture
        Float Formatter HTTPCache HTTPCookie HTTPDate Hasher Host Identifiable IndexPath IndexSet Instant Int16 Int32
        Int8 JSONDecoder JSONEncoder JSONNumber JSONPatch KeyPath Locale LocalizedError Lock LogEntry LogLevel MainActor
        Measurement Mirror Multipart Mutex Never Next Notification NotificationCenter Numeric Operation OperationQueue
        OptionSet Optional Pipe Port Predicate ProblemDetails Process ProcessInfo Progress Proxy Range RawRepresentable
        RedirectPolicy Regex RequestMethod ResponseBody ResponseHead Result RetryPolicy RunLoop Scanner Sequence Slice
        SortDescriptor SortOrder Span StatusCodes Substring Task TaskGroup Thread TimeInterval TimeZone Timer
        TransferProgress Transport UInt UInt16 UInt32 UInt8 URLComponents URLQueryItem URLRequest URLResponse URLSession
        UUID Unicode Unit UserDefaults WebSocket WebSocketMessage
        """
}
