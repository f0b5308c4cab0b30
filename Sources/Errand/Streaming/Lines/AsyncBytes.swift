extension AsyncSequence where Element == Data {
    /// The bytes of a body.
    ///
    /// ```swift
    /// for try await byte in request.sendStream().bytes { checksum &+= UInt32(byte) }
    /// ```
    ///
    /// A byte of a piece that was received is read from memory, without a suspension. A loop on an actor, such as the
    /// main actor, is slower, since each byte requires a check of the current executor. Cancelling the task that reads,
    /// or leaving the loop, ends the transfer.
    public var bytes: AsyncBytes<Self> { AsyncBytes(base: self) }
}

/// The bytes of a body. The property `bytes` returns it.
public struct AsyncBytes<Base: AsyncSequence>: AsyncSequence where Base.Element == Data {
    /// A byte.
    public typealias Element = UInt8

    let base: Base

    /// Creates an iterator over the bytes.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: base.makeAsyncIterator())
    }

    /// An iterator over the bytes. Only one task at a time may use it.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// The iterator over the pieces; `nil` after the end or an error. Releasing it ends the transfer.
        private var base: Base.AsyncIterator?
        @usableFromInline var piece: [UInt8] = []
        @usableFromInline var position = 0

        init(base: Base.AsyncIterator) {
            self.base = base
        }

        /// Returns the next byte; `nil` after the last one, and always after an error.
        ///
        /// - Throws: The errors of the body; ``ErrandError`` with `cancelled`, but only when the next piece is needed.
        @inlinable
        @inline(__always)
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> UInt8? {
            if position < piece.count {
                defer { position &+= 1 }
                return piece[position]
            }
            return try await firstOfNextPiece(isolation: actor)
        }

        /// Returns the next byte, as ``next(isolation:)`` does.
        @inlinable
        @inline(__always)
        public mutating func next() async throws -> UInt8? {
            try await next(isolation: #isolation)
        }

        /// Reads the next piece and returns its first byte.
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
                // Adds the head of the response, if the base knows it, and applies the API's own conversion.
                throw (base as? any ResponseReading).describing(error)
            }
            self.base = base
            position = 1
            return piece[0]
        }
    }
}

extension AsyncBytes: Sendable where Base: Sendable {}
