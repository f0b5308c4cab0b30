import Errand

extension MockFault {
    /// Returns the pieces of a `.stream` body with this fault: up to the cut, in pieces of the given size, or with a
    /// pause before each piece. A fault of the framing of chunks does not change them.
    package func applied(to chunks: @escaping MockResponse.Chunks) -> MockResponse.Chunks {
        switch self {
        case .drip(let size, let pause):
            return Self.dripping(chunks, size: max(size, 1), pause)
        case .pauseBeforeEachChunk(let pause):
            return {
                try await pause()
                return try await chunks()
            }
        default:
            guard case .body(let count) = cut?.at else { return chunks }
            return Self.prefix(of: chunks, count: max(count, 0))
        }
    }

    /// Returns `true` for a cut that ends a `.stream` body before its end. Cuts in the framing of chunks do not.
    package var cutsStream: Bool {
        switch cut?.at {
        case .head, .body: true
        case .chunkSize, .trailers, nil: false
        }
    }

    private static func prefix(of chunks: @escaping MockResponse.Chunks, count: Int) -> MockResponse.Chunks {
        let left = Locked(count)
        return {
            guard left.withLock({ $0 }) > 0, let piece = try await chunks() else { return nil }
            return left.withLock { left in
                defer { left -= min(left, piece.count) }
                return piece.prefix(left)
            }
        }
    }

    private static func dripping(
        _ chunks: @escaping MockResponse.Chunks, size: Int, _ pause: @escaping Pause
    ) -> MockResponse.Chunks {
        // The rest of the current piece; `nil` before the first one.
        let rest = Locked<Data?>(nil)
        return {
            var piece = rest.withLock { $0 }
            let isFirst = piece == nil
            while piece?.isEmpty ?? true {
                guard let next = try await chunks() else { return nil }
                piece = next
            }
            if !isFirst { try await pause() }
            let part = piece?.prefix(size)
            rest.withLock { $0 = piece?.dropFirst(size) }
            return part
        }
    }
}
