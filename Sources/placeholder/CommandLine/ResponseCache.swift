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

    /// Calls `body` with a client that uses the cache, and waits until all responses are stored.
    func use(with client: Client, body: (Client) async throws -> Void) async throws {
        let store = DiskCacheStore(
            directory: directory,
            onError: { [errors] in errors.line("cache: nothing is kept: \($0.localizedDescription.onOneLine)") },
            now: now)
        let client = client.behind(HTTPCache(store: store, now: now)).behind(Watch(clock: clock, report: report))
        do {
            try await body(client)
        } catch {
            await store.flush()
            throw error
        }
        await store.flush()
    }

    private var report: @Sendable (Exchange) -> Void {
        { [errors] exchange in
            guard let source = exchange.response?.source else { return }
            errors.line("cache: \(exchange.target)  \(source.word)\(exchange.details(showsTimes: true))")
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
