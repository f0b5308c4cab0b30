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

    private enum Slot: Sendable {
        /// Sent, without a response yet.
        case sent
        case reading(Draft)
        case recorded(HAR.Entry)
        /// Not recorded.
        case dropped
    }

    private let limit: Int
    private var slots: [Slot] = []
    private var isOver = false

    /// - Parameter limit: The maximum number of bytes that are stored of each body.
    init(limit: Int) {
        self.limit = limit
    }

    /// The completed entries.
    var entries: [HAR.Entry] {
        slots.compactMap { if case .recorded(let entry) = $0 { entry } else { nil } }
    }

    /// The identifiers of the responses that are being read.
    var drafts: [Int] {
        slots.indices.filter { if case .reading = slots[$0] { true } else { false } }
    }

    /// Reserves a place for a request; returns `nil` if the recording has ended.
    mutating func begin() -> Int? {
        guard !isOver else { return nil }
        slots.append(.sent)
        return slots.count - 1
    }

    /// Ends the recording. Only the outcomes of requests that have begun are still added; of streamed responses, only
    /// those that are already being read.
    mutating func end() {
        isOver = true
    }

    mutating func read(_ head: DataResponse, _ maker: EntryMaker, _ id: Int) {
        guard !isOver, case .sent = slots[id] else { return }
        slots[id] = .reading(Draft(head: head, maker: maker))
    }

    mutating func append(_ piece: Data, _ id: Int) {
        guard case .reading(var draft) = slots[id] else { return }
        // The slot is replaced first, so that the body has one owner and appending does not copy it.
        slots[id] = .sent
        draft.body += piece.prefix(limit - draft.body.count)
        draft.count += piece.count
        slots[id] = .reading(draft)
    }

    /// Removes and returns a response that is being read; returns `nil` if it has been taken already.
    mutating func takeDraft(_ id: Int) -> Draft? {
        guard case .reading(let draft) = slots[id] else { return nil }
        slots[id] = .sent
        return draft
    }

    mutating func record(_ entry: HAR.Entry, _ id: Int) {
        guard case .sent = slots[id] else { return }
        slots[id] = .recorded(entry)
    }

    mutating func drop(_ id: Int) {
        slots[id] = .dropped
    }
}
