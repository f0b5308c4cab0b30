/// The plan of the runs of one ``APIBase/startRequest()``: what was known at the start, and what was built. Nothing
/// here refers to the request object, so that it can be released earlier.
final class RunPlan: Sendable {
    typealias Progress = (upload: TransferProgress, download: TransferProgress?)

    /// The built and checked request, or the error that prevented it.
    let request: Result<TransportRequest, any Error>
    /// The endpoint, which checks and changes the request before it is sent; `nil` for a leaf.
    let endpoint: Boxed<Endpoint<DataResponse>>?
    /// The interceptors between the request and its transport, the outermost first: the hook, the retry policy, the
    /// awaited fields, and then those of the settings.
    let interceptors: [any Interceptor]
    /// The observers of what is sent.
    let observers: [any ExchangeObserver]
    /// What the request calls; `nil` if nothing was built.
    let called: CalledOperation?
    /// The rules by which a run judges its response.
    let rules: ResponseRules
    /// The credentials that the object once had; `nil` if they are not for the server of the request, or if a service
    /// or an endpoint replaces them.
    let credentials: CredentialsOnceSet?
    /// The decoder of the settings.
    let decoder: (any DataDecoder)?
    /// A response that replaces the transport's in tests.
    let stub: Pipeline<DataResponse, any Error>?
    /// The counts of the object that started the request, and the number of changes of its stubs at the start.
    private let counts: TransferCounts
    private let stubChanges: Int
    let session: any Transport
    /// The test network before the session; `nil` outside tests.
    let network: (any TestNetwork)?
    /// The progress of both bodies. A download to a file has no `download` progress here, because it counts its own
    /// body.
    let progress: Progress
    /// Receives the head of each response; `nil` if nothing reads it.
    let report: RunReport?
    /// The scope in which interceptors start requests; `nil` if it is that of the task.
    let scopeOfInterceptors: Boxed<ServiceScope>?
    /// Whether the runs report their outcome to the hook themselves.
    private let reportsOutcome: Bool

    /// - Parameters:
    ///   - request: The request that was built, or the failure to build it.
    ///   - api: The object that starts it.
    ///   - other: A transport for this request alone, which replaces the stub too.
    ///   - last: Interceptors after all others.
    init(
        _ start: Start, _ request: Result<TransportRequest, any Error>, _ settings: ResolvedSettings, of api: APIBase,
        over other: (any Transport)? = nil, last: [any Interceptor] = []
    ) {
        self.request = request
        called = api.called
        endpoint = start.endpoint
        interceptors = settings.interceptors(followedBy: last)
        observers = settings.values.observers
        rules = if case .success(let built) = request { built.rules } else { ResponseRules() }
        let isForClass = start.endpoint?.value.server == nil && called?.target != nil
        credentials = isForClass && !settings.values.interceptors.replacesOthers ? api.credentials : nil
        decoder = settings.values.decoder
        session = other ?? settings.values.session ?? .platformDefault
        network = other == nil ? TestedTransport.network(before: session) : nil
        stub = other == nil ? api.dataTaskPipeline : nil
        counts = api.counts
        stubChanges = counts.stubChanges
        progress = (api.uploadProgress, start.kind == .download ? nil : api.downloadProgress)
        scopeOfInterceptors = start.service.flatMap {
            $0.value.differsForInterceptors ? Boxed($0.value.ofInterceptors) : nil
        }
        reportsOutcome = start.report == nil
        report = start.report ?? (settings.values.hook == nil ? nil : RunReport())
        if let report { report.start(try? request.get().urlRequest, called, settings) }
    }

    /// The session, with the test network before it if there is one.
    var transport: any Transport { network.map { TestedTransport(network: $0, session: session) } ?? session }

    /// Who responds.
    var peer: Peer { stub == nil ? network?.peer ?? .server : .stub }

    /// Fails if a stub of the object was set after the start: the run would not use it, and could reach the network.
    func checkStub() throws(ErrandError) {
        guard counts.stubChanges != stubChanges else { return }
        throw ErrandError(
            .invalidSetting,
            reason: "a stub was set after the start of the request, which does not use it; set it before")
    }

    /// The pipeline whose runs follow this plan.
    var pipeline: Pipeline<DataResponse, any Error> {
        let pipeline = Pipeline { () async throws(any Error) in try await Run(of: self).outcome() }
        guard reportsOutcome, let report else { return pipeline }
        return report.reported(pipeline)
    }
}

extension ResolvedSettings {
    fileprivate func interceptors(followedBy last: [any Interceptor]) -> [any Interceptor] {
        var interceptors: [any Interceptor] = []
        if let hook = values.hook { interceptors.append(HookInterceptor(hook: hook, reportsOutcome: false)) }
        if let retryPolicy = values.retryPolicy { interceptors.append(RetryInterceptor(retryPolicy)) }
        if let asynchronousHeaders { interceptors.append(asynchronousHeaders) }
        interceptors += values.interceptors.elements
        interceptors += last
        return interceptors.inOrder
    }
}
