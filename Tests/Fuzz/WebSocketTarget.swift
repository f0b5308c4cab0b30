/// Limits, positions of splits, and received bytes: the split bytes have the same messages as the whole bytes, and each
/// message is written and read again.
@Sendable func fuzzWebSocket(_ input: consuming FuzzInput) {
    var input = input
    let (kind, limit, seed) = (input.number(), input.number(), input.number())
    let role = kind & 1 == 0 ? WebSocketRole.client : .server
    let compression = kind & 2 == 0 ? nil : PermessageDeflate()
    let whole = messages([input.data], role, compression, limit)
    let split = messages(input.pieces(seed), role, compression, limit)
    // If there are two errors at once, either may be found first.
    expect(whole.events == split.events && (whole.violation == nil) == (split.violation == nil), "messages differ")
    for case .message(let message) in whole.events {
        expect(message.count <= limit, "a message is too long")
        let other = role == .client ? WebSocketRole.server : .client
        let encoder = WebSocketEncoder(role: other, maximumFragmentSize: kind >> 2)
        encoder.append(message)
        while encoder.isInsideMessage { encoder.appendFragment() }
        let again = messages([Data(encoder.bytes)], role, nil, .max)
        expect(again.events == [.message(message)], "a message is not read as it was written")
    }
}

private func messages(
    _ pieces: [Data], _ role: WebSocketRole, _ compression: PermessageDeflate?, _ limit: Int
) -> (events: [WebSocketMessageDecoder.Event], violation: WebSocketViolation?) {
    var decoder = WebSocketMessageDecoder(
        role: role, compression: compression, maximumFrameSize: limit, maximumMessageSize: limit)
    var events: [WebSocketMessageDecoder.Event] = []
    do {
        for piece in pieces {
            decoder.append(piece)
            while let event = try decoder.next() { events.append(event) }
        }
        return (events, nil)
    } catch {
        return (events, error)
    }
}

extension WebSocketMessage {
    fileprivate var count: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .data(let data): data.count
        }
    }
}
