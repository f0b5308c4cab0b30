import Errand

// The heartbeat, which distinguishes a silent connection from a lost one.
extension WebSocketSession {
    /// The number of bytes that a ping and the pongs of a heartbeat have at most. More bytes that leave are messages.
    private static let controlSize: Int64 = 512

    /// Pings a silent connection, and ends it with `timedOut` if the server shows no life.
    func watch(_ channel: any WebSocketChannel, _ heartbeat: WebSocketOptions.Heartbeat) async {
        let interval = max(heartbeat.interval, .milliseconds(1)).bounded
        let timeout = max(heartbeat.timeout, .zero).bounded
        var lastCount = channel.receivedCount
        while (try? await timeline.sleep(until: timeline.now + interval)) != nil {
            if channel.receivedCount == lastCount, !inbox.isFull {
                let isAlive = await isAlive(channel, timeout)
                if Task.isCancelled { return }
                guard isAlive else {
                    return channel.fail(
                        ErrandError(
                            .timedOut,
                            reason: "the server did not respond to a ping within \(heartbeat.timeout.secondsText)"))
                }
            }
            lastCount = channel.receivedCount
        }
    }

    /// Sends a ping. Returns `true` with its pong, or if the connection ends otherwise, and `false` if the server shows
    /// no life within the timeout.
    private func isAlive(_ channel: any WebSocketChannel, _ timeout: Duration) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                // If the connection ends, its own task reports why.
                _ = try? await channel.ping()
                return true
            }
            group.addTask {
                await self.waitForSilence(of: channel, timeout)
                return false
            }
            return await group.next() ?? true
        }
    }

    /// Returns when the server has shown no life for the timeout. Received bytes are a sign of life. Bytes that leave
    /// are one too: a ping is written after the rest of a message, and a slow server reads that first. While the inbox
    /// is full, the connection is not read, so a missing pong is not a failure.
    private func waitForSilence(of channel: any WebSocketChannel, _ timeout: Duration) async {
        while true {
            let (received, sent) = (channel.receivedCount, channel.sentCount)
            guard (try? await timeline.sleep(until: timeline.now + timeout)) != nil else { return }
            let isAlive = channel.receivedCount != received || channel.sentCount > sent + Self.controlSize
            if !isAlive, !inbox.isFull { return }
        }
    }
}
