/// Names of types that would hide one that generated code or its users need.
///
/// `.ci/deep-steps/openapi-names` compares them with what the modules export.
enum ReservedNames {
    static let types = Set(
        [swift, foundation, errand].flatMap { $0.split(whereSeparator: \.isWhitespace) }.map(String.init))

    /// Of the standard library, Dispatch and Synchronization, with the associated types of enumerations.
    private static let swift = """
        Actor AdditiveArithmetic AllCases Any AnyBidirectionalCollection AnyClass AnyCollection AnyHashable AnyIndex
        AnyIterator AnyKeyPath AnyObject AnyRandomAccessCollection AnySequence Array ArrayLiteralConvertible
        ArraySlice AsyncIteratorProtocol AsyncSequence AsyncStream AsyncThrowingStream Atomic AtomicLazyReference
        AtomicLoadOrdering AtomicOptionalRepresentable AtomicRepresentable AtomicStoreOrdering AtomicUpdateOrdering
        BidirectionalCollection BidirectionalIndexable BidirectionalSlice BinaryFloatingPoint BinaryInteger
        BitwiseCopyable Bool BooleanLiteralConvertible BooleanLiteralType CBool CChar CChar16 CChar32 CChar8 CDouble
        CFloat CFloat16 CInt CLong CLongDouble CLongLong CShort CSignedChar CUnsignedChar CUnsignedInt CUnsignedLong
        CUnsignedLongLong CUnsignedShort CVaListPointer CVarArg CWideChar CancellationError CaseIterable Character
        Clock ClosedRange ClosedRangeIndex Codable CodingKey CodingKeyRepresentable CodingKeys CodingUserInfoKey
        Collection CollectionDifference CollectionOfOne CommandLine Comparable ConcurrentValue ContiguousArray
        Copyable CountableClosedRange CountablePartialRangeFrom CountableRange CustomDebugStringConvertible
        CustomLeafReflectable CustomPlaygroundDisplayConvertible CustomPlaygroundQuickLookable CustomReflectable
        CustomStringConvertible Decodable Decoder DecodingError DefaultBidirectionalIndices DefaultIndices
        DefaultRandomAccessIndices DefaultStringInterpolation Dictionary DictionaryIndex DictionaryIterator
        DictionaryLiteral DictionaryLiteralConvertible DiscontiguousSlice DispatchData DispatchDataIterator
        DispatchGroup DispatchIO DispatchObject DispatchPredicate DispatchQoS DispatchQueue DispatchSemaphore
        DispatchSource DispatchSourceHandler DispatchSourceProtocol DispatchSourceRead DispatchSourceSignal
        DispatchSourceTimer DispatchSourceUserDataAdd DispatchSourceUserDataOr DispatchSourceUserDataReplace
        DispatchSourceWrite DispatchSpecificKey DispatchTime DispatchTimeInterval DispatchTimeoutResult
        DispatchWallTime DispatchWorkItem DispatchWorkItemFlags Double DropFirstSequence DropWhileSequence Duration
        DurationProtocol EmptyCollection EmptyIterator Encodable Encoder EncodingError EnumeratedIterator
        EnumeratedSequence Equatable Error Escapable Executor ExpressibleByArrayLiteral ExpressibleByBooleanLiteral
        ExpressibleByDictionaryLiteral ExpressibleByExtendedGraphemeClusterLiteral ExpressibleByFloatLiteral
        ExpressibleByIntegerLiteral ExpressibleByNilLiteral ExpressibleByStringInterpolation
        ExpressibleByStringLiteral ExpressibleByUnicodeScalarLiteral ExtendedGraphemeClusterLiteralConvertible
        ExtendedGraphemeClusterType FixedWidthInteger FlattenBidirectionalCollection
        FlattenBidirectionalCollectionIndex FlattenCollection FlattenCollectionIndex FlattenSequence Float Float16
        Float32 Float64 Float80 FloatLiteralConvertible FloatLiteralType FloatingPoint FloatingPointClassification
        FloatingPointRoundingRule FloatingPointSign GlobalActor Hashable Hasher Identifiable Indexable IndexableBase
        IndexingIterator InlineArray Instant InstantProtocol Int Int128 Int16 Int32 Int64 Int8
        IntegerLiteralConvertible IntegerLiteralType IteratorOverOne IteratorProtocol IteratorSequence
        JoinedIterator JoinedSequence KeyPath KeyValuePairs KeyedDecodingContainer KeyedDecodingContainerProtocol
        KeyedEncodingContainer KeyedEncodingContainerProtocol LazyBidirectionalCollection LazyCollection
        LazyCollectionProtocol LazyDropWhileBidirectionalCollection LazyDropWhileCollection LazyDropWhileIndex
        LazyDropWhileIterator LazyDropWhileSequence LazyFilterBidirectionalCollection LazyFilterCollection
        LazyFilterIndex LazyFilterIterator LazyFilterSequence LazyMapBidirectionalCollection LazyMapCollection
        LazyMapIterator LazyMapRandomAccessCollection LazyMapSequence LazyPrefixWhileBidirectionalCollection
        LazyPrefixWhileCollection LazyPrefixWhileIndex LazyPrefixWhileIterator LazyPrefixWhileSequence
        LazyRandomAccessCollection LazySequence LazySequenceProtocol LosslessStringConvertible MainActor
        ManagedBuffer ManagedBufferPointer MemoryLayout Mirror MirrorPath MutableBidirectionalSlice
        MutableCollection MutableIndexable MutableRandomAccessSlice MutableRangeReplaceableBidirectionalSlice
        MutableRangeReplaceableRandomAccessSlice MutableRangeReplaceableSlice MutableRawSpan MutableSlice
        MutableSpan Mutex Never NilLiteralConvertible Numeric ObjectIdentifier OpaquePointer OptionSet Optional
        OutputRawSpan OutputSpan PartialKeyPath PartialRangeFrom PartialRangeThrough PartialRangeUpTo
        PlaygroundQuickLook PrefixSequence Protocol RandomAccessCollection RandomAccessIndexable RandomAccessSlice
        RandomNumberGenerator Range RangeExpression RangeReplaceableBidirectionalSlice RangeReplaceableCollection
        RangeReplaceableIndexable RangeReplaceableRandomAccessSlice RangeReplaceableSlice RangeSet RawRepresentable
        RawSpan RawValue ReferenceWritableKeyPath Regex Repeated Result ReversedCollection ReversedIndex
        ReversedRandomAccessCollection SIMD SIMD16 SIMD2 SIMD3 SIMD32 SIMD4 SIMD64 SIMD8 SIMDMask SIMDScalar
        SIMDStorage Self Sendable SendableMetatype Sequence Set SetAlgebra SetIndex SetIterator SignedInteger
        SignedNumeric SingleValueDecodingContainer SingleValueEncodingContainer Slice Span StaticBigInt StaticString
        StrideThrough StrideThroughIterator StrideTo StrideToIterator Strideable String
        StringInterpolationConvertible StringInterpolationProtocol StringLiteralConvertible StringLiteralType
        StringProtocol Strings Substring SystemRandomNumberGenerator Task TaskGroup TaskLocal TaskPriority
        TextOutputStream TextOutputStreamable Type UInt UInt128 UInt16 UInt32 UInt64 UInt8 UTF16 UTF32 UTF8 UTF8Span
        UnboundedRange UnboundedRange_ UnfoldFirstSequence UnfoldSequence Unicode UnicodeCodec UnicodeDecodingResult
        UnicodeScalar UnicodeScalarLiteralConvertible UnicodeScalarType UnkeyedDecodingContainer
        UnkeyedEncodingContainer Unmanaged UnsafeBufferPointer UnsafeBufferPointerIterator UnsafeConcurrentValue
        UnsafeMutableBufferPointer UnsafeMutablePointer UnsafeMutableRawBufferPointer
        UnsafeMutableRawBufferPointerIterator UnsafeMutableRawPointer UnsafePointer UnsafeRawBufferPointer
        UnsafeRawBufferPointerIterator UnsafeRawPointer UnsafeSendable UnsignedInteger Void WordPair WritableKeyPath
        Zip2Iterator Zip2Sequence
        """

    /// Of Foundation.
    private static let foundation = """
        AffineTransform AlignmentOptions AttributeContainer AttributeDynamicLookup AttributeScope
        AttributeScopeCodableConfiguration AttributeScopes AttributedString AttributedStringAttributeMutation
        AttributedStringKey AttributedStringProtocol AttributedSubstring BlockOperation Bundle ByteCountFormatStyle
        ByteCountFormatter CGFloat CGPoint CGRect CGRectEdge CGSize CachedURLResponse Calendar CharacterSet
        CocoaError CodableAttributedStringKey CodableConfiguration CodableWithConfiguration ComparableComparator
        Comparator ComparisonResult ContiguousBytes CurrencyFormatStyleConfiguration CustomNSError Data DataProtocol
        Date DateComponents DateFormatter DateInterval DateIntervalFormatter Decimal DecodableAttributedStringKey
        DecodableWithConfiguration DecodingConfigurationProviding DescriptiveNumberFormatConfiguration Dimension
        DiscontiguousAttributedSubstring DiscreteFormatStyle EncodableAttributedStringKey EncodableWithConfiguration
        EncodingConfigurationProviding EnergyFormatter Expression FileAttributeKey FileAttributeType FileHandle
        FileManager FileManagerDelegate FileProtectionType FloatingPointFormatStyle FloatingPointParseStrategy
        FormatStyle FormatStyleCapitalizationContext Formatter HTTPCookie HTTPCookiePropertyKey HTTPCookieStorage
        HTTPURLResponse Host ISO8601DateFormatter IndexPath IndexSet InflectionRule InputStream IntegerFormatStyle
        IntegerParseStrategy JSONDecoder JSONEncoder JSONSerialization KeyPathComparator LengthFormatter
        ListFormatStyle Locale LocalizedError Lock MarkdownDecodableAttributedStringKey MassFormatter Measurement
        Morphology MutableDataProtocol NSAffineTransform NSAffineTransformStruct NSArray NSAttributedString
        NSBinarySearchingOptions NSCache NSCacheDelegate NSCalendar NSCharacterSet NSCoder NSCoding
        NSComparisonPredicate NSCompoundPredicate NSCondition NSConditionLock NSCopying NSCountedSet NSData NSDate
        NSDateComponents NSDateInterval NSDecimalNumber NSDecimalNumberBehaviors NSDecimalNumberHandler NSDictionary
        NSEdgeInsets NSEnumerationOptions NSEnumerator NSError NSErrorDomain NSExceptionName NSExpression
        NSIndexPath NSIndexSet NSIndexSetIterator NSKeyedArchiver NSKeyedArchiverDelegate NSKeyedUnarchiver
        NSKeyedUnarchiverDelegate NSLocale NSLock NSLocking NSMeasurement NSMutableArray NSMutableAttributedString
        NSMutableCharacterSet NSMutableCopying NSMutableData NSMutableDictionary NSMutableIndexSet
        NSMutableOrderedSet NSMutableSet NSMutableString NSMutableURLRequest NSNotification NSNull NSNumber NSObject
        NSObjectProtocol NSOrderedSet NSOrthography NSPersonNameComponents NSPoint NSPointArray NSPointPointer
        NSPredicate NSRange NSRangePointer NSRect NSRectArray NSRectEdge NSRectPointer NSRecursiveLock
        NSRegularExpression NSSecureCoding NSSet NSSize NSSizeArray NSSizePointer NSSortDescriptor NSSortOptions
        NSString NSTextCheckingKey NSTextCheckingResult NSTimeZone NSURL NSURLComponents NSURLQueryItem NSURLRequest
        NSUUID NSValue NSZone Notification NotificationCenter NotificationQueue NumberFormatStyleConfiguration
        NumberFormatter ObjCBool OperatingSystemVersion Operation OperationQueue OutputStream POSIXError
        ParseStrategy ParseableFormatStyle PersonNameComponents PersonNameComponentsFormatter Pipe Port PortDelegate
        PortMessage Predicate PredicateBindings PredicateError PredicateExpression PredicateExpressions Process
        ProcessInfo Progress ProgressKind ProgressReporting ProgressUserInfoKey PropertyListDecoder
        PropertyListEncoder PropertyListSerialization QualityOfService RecoverableError ReferenceConvertible RunLoop
        Scanner ScopedAttributeContainer SocketNativeHandle SocketPort SortComparator SortDescriptor SortOrder
        StandardPredicateExpression Stream StreamDelegate StreamNetworkServiceTypeValue
        StreamSOCKSProxyConfiguration StreamSOCKSProxyVersion StreamSocketSecurityLevel StringStyle StringTransform
        Thread TimeInterval TimeZone Timer URL URLAuthenticationChallenge URLAuthenticationChallengeSender URLCache
        URLComponents URLCredential URLCredentialStorage URLError URLFileResourceType URLProtectionSpace URLProtocol
        URLProtocolClient URLQueryItem URLRequest URLResourceKey URLResourceValues URLResponse URLSession
        URLSessionConfiguration URLSessionDataDelegate URLSessionDataTask URLSessionDelegate
        URLSessionDownloadDelegate URLSessionDownloadTask URLSessionStreamDelegate URLSessionStreamTask
        URLSessionTask URLSessionTaskDelegate URLSessionTaskMetrics URLSessionTaskTransactionMetrics
        URLSessionUploadTask URLSessionWebSocketDelegate URLSessionWebSocketTask UUID UndoManager Unit
        UnitAcceleration UnitAngle UnitArea UnitConcentrationMass UnitConverter UnitConverterLinear UnitDispersion
        UnitDuration UnitElectricCharge UnitElectricCurrent UnitElectricPotentialDifference UnitElectricResistance
        UnitEnergy UnitFrequency UnitFuelEfficiency UnitIlluminance UnitInformationStorage UnitLength UnitMass
        UnitPower UnitPressure UnitSpeed UnitTemperature UnitVolume UserDefaults XMLParser
        """

    /// Of Errand, ErrandJSON and ErrandOpenAPIRuntime.
    private static let errand = """
        APIBase APIKeyAuthentication APIService AccessToken AsyncBytes AsynchronousHeaderFields AttemptTimeout
        AuthenticationChallenge BaseURL BasicAuthentication BearerAuthentication BodyPart BodyStream ByteRange
        CacheEntry CacheKey CacheStore CalendarDate CancellationToken Cassette CircuitBreaker ClosedEnum Coalescing
        Completion ConcurrencyLimit ContentDisposition ContentRange ContentType CookieJar CredentialProvider
        CurlConfiguration CurlTransport CursorPage DataDecoder DataEncoder DataResponse DecodedResponse DigestAuthentication
        DiskCacheStore DownloadedFile Endpoint EndpointRequest EntityTag EntityTags ErrandError EventSource
        EventSourceReconnection ExchangeAttribute ExchangeObservation ExchangeObserver ExchangeOutcome ExchangeSummary
        FailedAttempt Failover Failure FastJSONDecoder FastJSONEncoder FaultInjection FileDigest Fixture HARRecorder
        HTTPCache HTTPDate HeaderFields Hedging Indirect Interceptor InterceptorList InterceptorPlacement JSONContent
        JSONFraming JSONLocation JSONMergePatch JSONNumber JSONPatch JSONValue LogDisclosure LogEntry LogLevel
        LoggingInterceptor MemoryCacheStore MessageSignature Multipart MultipartForm NameService Next Nullable
        OAuthClient OAuthError OAuthServer OAuthSession OAuthTokens ObservableRequest ObservedExchange OpenEnum Output
        PageContent
        PageInfo PageLimits PagePosition Pages PaginatedData PaginationStyle ParameterStyle PasswordCredential
        PathSegmentConvertible Pipeline PipelinePromise PoolMetrics ProblemDetails Proxy PublicSuffixes QueryValue
        QueryValueConvertible RateLimit RedirectPolicy Request RequestBody RequestHook RequestMethod RequestOutcome
        RequestPath RequestPriority RequestSettings ResolvedHost ResponseBody ResponseHead ResponseSource ResponseStream
        ResponseTrailers Retrier RetryBudget RetryDecision RetryInterceptor RetryPolicy ScheduledRequest
        SchemeAuthentication SecuredAPI ServerSentEvent StatusCodes StatusDocument StreamingRequest Stubbable
        TLSConfiguration TimedCache TokenAuthentication TraceContext TraceParent TransferMetrics TransferProgress Transport
        TransportFailure TransportRequest URLQuery URLSessionTransport Upload WebSocket WebSocketMessage
        WebSocketRequest
        """
}
