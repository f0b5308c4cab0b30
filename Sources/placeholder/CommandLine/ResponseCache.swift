import Errand

/// The cache of `--cache`: responses on the disk, and a line with the source of each response.
///
/// ```
/// cache: GET /users  hit (4.0 KB, 0.3 ms)
/// ```
struct ResponseCache {
    let directory: URL
    let errors: Output
    let clock: any Clock<Duration>
    let now: @Sendable () -> Date

    /// Calls `body` with a service that uses the cache, and waits until all responses are stored.
    func use(with service: APIService<any Error>, body: (APIService<any Error>) async throws -> Void) async throws {
        let store = DiskCacheStore(
            directory: directory,
            onError: { [errors] in errors.line("cache: nothing is kept: \($0.localizedDescription.onOneLine)") },
            now: now)
        let logging = LoggingInterceptor(disclosure: LogDisclosure(showsCurl: false), clock: clock, sink: report)
        do {
            try await body(service.adding(logging, HTTPCache(store: store, now: now)))
        } catch {
            await store.flush()
            throw error
        }
        await store.flush()
    }

    private var report: LoggingInterceptor.Sink {
        { [errors] entry in
            guard let source = entry.source else { return }
            errors.line("cache: \(entry.target)  \(source.word)\(entry.details(showsTimes: true))")
        }
    }
}

extension ResponseSource {
    /// The word that `--cache` prints for it.
    fileprivate var word: String {
        switch self {
        case .network: "network"
        case .cache: "hit"
        case .revalidated: "revalidated"
        case .stale: "stale"
        case .interceptor: "neither"
        }
    }
}
