extension AsyncSequence where Element == Data {
    /// The single bytes of a body.
    ///
    /// ```swift
    /// for try await byte in request.sendStream().bytes { checksum &+= UInt32(byte) }
    /// ```
    ///
    /// A byte of a piece that has come is read from memory, without a suspension; a loop on an actor, such as the main one,
    /// is slower, since it looks for each byte whether it is still there. Cancelling the task that reads, or leaving the loop, ends the transfer.
    public var bytes: AsyncBytes<Self> { AsyncBytes(base: self) }
}

/// The bytes of a body, as `bytes` gives them.
public struct AsyncBytes<Base: AsyncSequence>: AsyncSequence where Base.Element == Data {
    /// A byte.
    public typealias Element = UInt8

    let base: Base

    /// Begins to read the body.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: base.makeAsyncIterator())
    }

    /// Goes from byte to byte; to be used by one task at a time.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var base: Base.AsyncIterator?
        @usableFromInline var piece: [UInt8] = []
        @usableFromInline var position = 0

        init(base: Base.AsyncIterator) {
            self.base = base
        }

        /// The next byte; nil behind the last, and for good after an error.
        ///
        /// - Throws: What the body throws; ``ErrandError`` with `cancelled`, at the latest when the next piece is wanted.
        @inlinable
        @inline(__always)
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> UInt8? {
            if position < piece.count {
                defer { position &+= 1 }
                return piece[position]
            }
            return try await firstOfNextPiece(isolation: actor)
        }

        /// The next byte, as ``next(isolation:)`` gives it.
        @inlinable
        @inline(__always)
        public mutating func next() async throws -> UInt8? {
            try await next(isolation: #isolation)
        }

        /// Reads on, and gives the first byte of what comes.
        @usableFromInline
        mutating func firstOfNextPiece(isolation: isolated (any Actor)?) async throws -> UInt8? {
            guard var base else { return nil }
            do {
                if Task.isCancelled { throw ErrandError(.cancelled) }
                repeat {
                    guard let data = try await base.next(isolation: isolation) else {
                        self.base = nil
                        return nil
                    }
                    piece = [UInt8](data)
                } while piece.isEmpty
            } catch {
                self.base = nil
                throw (base as? any AnswerReading).describing(error)
            }
            self.base = base
            position = 1
            return piece[0]
        }
    }
}

extension AsyncBytes: Sendable where Base: Sendable {}
