import Errand

/// The entries of a recording, in the order in which the requests were sent.
struct Recording: Sendable {
    /// A response that is being read.
    struct Draft: Sendable {
        let head: DataResponse
        /// Makes the entry for the response.
        let maker: EntryMaker
        var body = Data()
        /// The number of bytes read so far.
        var count = 0
    }

    /// A request whose entry is not complete.
    private struct Active: Sendable {
        /// The number of bytes of the request body that are held.
        var bodySize = 0
        /// The response so far; `nil` before its head has arrived.
        var draft: Draft?
        /// The number of bytes that count for the maximum size.
        var size: Int { bodySize + (draft?.body.count ?? 0) }
    }

    private let limit: Int
    /// The maximum number of bytes of all entries, and that of all active requests. The oldest ones are removed.
    private let maximumSize: Int
    /// The requests whose entries are not complete, by their identifiers, which are consecutive numbers.
    private var active: [Int: Active] = [:]
    private var activeSize = 0
    private var recorded: [Int: (entry: HAR.Entry, size: Int)] = [:]
    private var recordedSize = 0
    /// No entry has a smaller identifier.
    private var oldest = 0
    /// The number of requests that have begun.
    private(set) var count = 0
    /// The number of requests that were removed because of the maximum size.
    private(set) var removedCount = 0
    private var isOver = false

    /// - Parameter limit: The maximum number of bytes that are stored of each body.
    init(limit: Int, maximumSize: Int) {
        self.limit = limit
        self.maximumSize = maximumSize
    }

    /// The completed entries.
    var entries: [HAR.Entry] {
        recorded.sorted { $0.key < $1.key }.map(\.value.entry)
    }

    /// The identifiers of the responses that are being read.
    var drafts: [Int] {
        active.filter { $0.value.draft != nil }.keys.sorted()
    }

    /// Reserves a place for a request; returns `nil` if the recording has ended.
    mutating func begin() -> Int? {
        guard !isOver else { return nil }
        defer { count += 1 }
        active[count] = Active()
        return count
    }

    /// Ends the recording. Only the outcomes of requests that have begun are still added; of streamed responses, only
    /// those that are already being read.
    mutating func end() {
        isOver = true
    }

    /// Counts the bytes of a streamed request body that are held.
    ///
    /// - Returns: `false` if they need not be held, because the request was removed or has a response.
    mutating func hold(_ bodySize: Int, _ id: Int) -> Bool {
        guard isWaiting(id) else { return false }
        set(Active(bodySize: bodySize), id)
        return isWaiting(id)
    }

    mutating func read(_ head: DataResponse, _ maker: EntryMaker, _ id: Int) {
        guard !isOver, isWaiting(id) else { return }
        set(Active(bodySize: maker.bodySize, draft: Draft(head: head, maker: maker)), id)
    }

    mutating func append(_ piece: Data, _ id: Int) {
        guard let bodySize = active[id]?.bodySize, var draft = active[id]?.draft else { return }
        // The draft is removed first, so that the body has one owner and appending does not copy it.
        set(nil, id)
        draft.body += piece.prefix(limit - draft.body.count)
        draft.count += piece.count
        set(Active(bodySize: bodySize, draft: draft), id)
    }

    /// Removes and returns a response that is being read; returns `nil` if it has been taken already.
    mutating func takeDraft(_ id: Int) -> Draft? {
        guard let draft = active[id]?.draft else { return nil }
        set(Active(), id)
        return draft
    }

    /// Records the outcome of a request. An entry that alone exceeds the maximum size is removed, and no other.
    ///
    /// - Parameters:
    ///   - entry: The entry; `nil` if the request is not recorded.
    ///   - size: The number of bytes of the entry; `nil` if it cannot be encoded, so that it is removed.
    mutating func record(_ entry: HAR.Entry?, size: Int?, _ id: Int) {
        guard isWaiting(id) else { return }
        set(nil, id)
        guard let entry else { return }
        guard let size, size <= maximumSize else {
            removedCount += 1
            return
        }
        recorded[id] = (entry, size)
        recordedSize += size
        oldest = min(oldest, id)
        while recordedSize > maximumSize {
            if let removed = recorded.removeValue(forKey: oldest) {
                recordedSize -= removed.size
                removedCount += 1
            }
            oldest += 1
        }
    }

    /// Returns `true` if a request was sent and not removed, and its response is not being read.
    private func isWaiting(_ id: Int) -> Bool { active[id].map { $0.draft == nil } ?? false }

    /// Replaces an active request. While all together are too large, it removes the oldest ones, but no other if this
    /// one alone is too large.
    private mutating func set(_ request: Active?, _ id: Int) {
        activeSize += (request?.size ?? 0) - (active[id]?.size ?? 0)
        active[id] = request
        while activeSize > maximumSize, let oldest = active.filter({ $0.value.size > 0 }).keys.min() {
            let removed = (active[id]?.size ?? 0) > maximumSize ? id : oldest
            activeSize -= active.removeValue(forKey: removed)?.size ?? 0
            removedCount += 1
        }
    }
}
