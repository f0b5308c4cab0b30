import Errand

/// What a cassette has recorded so far, in the order in which the requests were sent.
struct Recording: Sendable {
    /// An answer that is being read.
    struct Draft: Sendable {
        let head: DataResponse
        /// Makes the entry of it.
        let maker: EntryMaker
        var body = Data()
        /// How many bytes were read.
        var count = 0
    }

    private enum Slot: Sendable {
        /// Sent, and not answered yet.
        case sent
        case reading(Draft)
        case recorded(HAR.Entry)
        /// Not to be recorded.
        case dropped
    }

    private let limit: Int
    private var slots: [Slot] = []
    private var isOver = false

    /// - Parameter limit: How many bytes of each body are kept.
    init(limit: Int) {
        self.limit = limit
    }

    /// The entries that are whole.
    var entries: [HAR.Entry] {
        slots.compactMap { if case .recorded(let entry) = $0 { entry } else { nil } }
    }

    /// What is being read.
    var drafts: [Int] {
        slots.indices.filter { if case .reading = slots[$0] { true } else { false } }
    }

    /// Keeps a place for a request; nil when the recording is over.
    mutating func begin() -> Int? {
        guard !isOver else { return nil }
        slots.append(.sent)
        return slots.count - 1
    }

    /// Takes nothing more from here on but what is being read.
    mutating func end() {
        isOver = true
    }

    mutating func read(_ head: DataResponse, _ maker: EntryMaker, _ id: Int) {
        guard !isOver, case .sent = slots[id] else { return }
        slots[id] = .reading(Draft(head: head, maker: maker))
    }

    mutating func append(_ piece: Data, _ id: Int) {
        guard case .reading(var draft) = slots[id] else { return }
        // Not held twice, or each piece would copy all that came before it.
        slots[id] = .sent
        draft.body += piece.prefix(limit - draft.body.count)
        draft.count += piece.count
        slots[id] = .reading(draft)
    }

    /// Hands over what was read of an answer, for whoever makes an entry of it; nil where somebody has it already.
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
