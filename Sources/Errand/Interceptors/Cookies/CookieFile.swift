/// The file of a ``CookieJar``. The jar reads it once, and writes it on a serial queue.
final class CookieFile: Sendable {
    static let maximumSize = 64 << 20

    private struct Content: Codable {
        var version = 1
        var cookies: [CookieJar.Cookie]
    }

    private struct State: Sendable {
        /// Whether a write is scheduled that will include the changes made until it begins.
        var isWaiting = false
        /// The cookies that this process wrote last; `nil` if it has not written the file.
        var written: [CookieJar.Cookie]?
        var hasReported = false
    }

    private let directory: PrivateDirectory
    private let name: String
    private let keepsSessionCookies: Bool
    private let onError: (@Sendable (any Error) -> Void)?
    private let queue = BlockingQueue(label: "Errand.CookieFile")
    private let state = Locked(State())

    init(
        _ url: URL, keepsSessionCookies: Bool, onError: (@Sendable (any Error) -> Void)?
    ) throws(ErrandError) {
        guard url.isFileURL, !url.lastPathComponent.isEmpty, url.lastPathComponent != "/" else {
            throw ErrandError(.fileAccessFailed, reason: "the URL of the cookie file is not a file URL")
        }
        directory = PrivateDirectory(path: url.deletingLastPathComponent().path)
        name = url.lastPathComponent
        self.keepsSessionCookies = keepsSessionCookies
        self.onError = onError
    }

    /// Reads the cookies of the file; returns an empty array if there is no file.
    func read() throws(ErrandError) -> [CookieJar.Cookie] {
        do {
            removeLeftovers()
            guard let data = try directory.read(name, atMost: Self.maximumSize) else { return [] }
            let content = try FastJSONDecoder().decode(Content.self, from: data)
            guard content.version == 1 else { throw CocoaError(.fileReadUnknown) }
            return content.cookies
        } catch {
            throw ErrandError(
                .fileAccessFailed,
                reason: "the cookie file cannot be read, belongs to another user or does not contain cookies",
                underlyingError: error)
        }
    }

    /// Schedules a write and returns. Changes that follow each other quickly are written once.
    ///
    /// - Parameter cookies: Returns the cookies of the jar at the time of writing.
    func write(_ cookies: @escaping @Sendable () -> [CookieJar.Cookie]) {
        let isFirst = state.withLock { state in
            defer { state.isWaiting = true }
            return !state.isWaiting
        }
        guard isFirst else { return }
        queue.begin {
            self.state.withLock { $0.isWaiting = false }
            do { try self.save(cookies()) } catch { self.report(error) }
        }
    }

    /// Writes the cookies after any scheduled writes, and returns when they are written.
    func flush(_ cookies: @escaping @Sendable () -> [CookieJar.Cookie]) async throws {
        try await queue.run { try self.save(cookies()) }
    }

    private func save(_ cookies: [CookieJar.Cookie]) throws(ErrandError) {
        let kept = cookies.filter { keepsSessionCookies || $0.expires != nil }
        guard state.withLock({ $0.written != kept }) else { return }
        do {
            try directory.create()
            try directory.write(
                try FastJSONEncoder().encode(Content(cookies: kept)), to: name, by: temporaryPrefix + UUID().uuidString)
            state.withLock { $0.written = kept }
        } catch {
            throw ErrandError(
                .fileAccessFailed, reason: "the cookie file cannot be written", underlyingError: error)
        }
    }

    private var temporaryPrefix: String { ".\(name)-" }

    /// Removes temporary files of processes that were killed. A file newer than an hour may be in use and stays.
    private func removeLeftovers() {
        for name in (try? directory.names()) ?? [] where name.hasPrefix(temporaryPrefix) {
            if let status = directory.status(of: name), status.used < Date() - 3600 { try? directory.remove(name) }
        }
    }

    private func report(_ error: any Error) {
        let isFirst = state.withLock { state in
            defer { state.hasReported = true }
            return !state.hasReported
        }
        if isFirst { onError?(error) }
    }
}
