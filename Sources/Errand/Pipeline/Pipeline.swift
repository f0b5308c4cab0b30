/// Work that ends as one value or one failure, and has not begun.
///
/// A pipeline is cold: building it, and attaching operators to it, does nothing. Awaiting `value` or ``result``,
/// calling ``sink(receiveCompletion:receiveValue:)`` or sharing it with ``share()`` runs it, and each run is a new one.
///
/// ```swift
/// let users = try await UsersRequest().start().value
/// let names = UsersRequest().start().map { $0.map(\.name) }
/// ```
///
/// It runs in the isolation of whoever awaits it: from the main actor, values that are already there pass through
/// their operators without leaving it. Cancelling the awaiting task cancels the run. What has many values is an
/// `AsyncSequence`, not a pipeline.
///
/// Its hot path is inlinable, so that operators are specialized for the types they are used with.
@frozen
public struct Pipeline<Output, Failure: Error>: Sendable {
    /// How the value is had; an operator on an immediate value is itself immediate, and costs no suspension.
    @usableFromInline
    @frozen
    enum Source: Sendable {
        case immediate(@Sendable () throws(Failure) -> Output)
        case suspending(@Sendable () async throws(Failure) -> Output)
    }

    @usableFromInline let source: Source

    /// A pipeline that runs an async closure, each time anew.
    ///
    /// - Parameter body: The work. It is cancelled as the task that awaits the pipeline is, and should end soon then.
    @inlinable
    public init(_ body: @escaping @Sendable () async throws(Failure) -> Output) {
        source = .suspending(body)
    }

    @inlinable
    init(immediate body: @escaping @Sendable () throws(Failure) -> Output) {
        source = .immediate(body)
    }

    /// Runs the pipeline and gives its value.
    ///
    /// Cancelling the awaiting task cancels the work. How soon this throws then, and what, is up to the source: a
    /// request fails at once with ``ErrandError/Code-swift.struct/cancelled``.
    ///
    /// - Throws: What the source or an operator failed with.
    @inlinable public var value: Output {
        get async throws(Failure) {
            switch source {
            case .immediate(let run): try run()
            case .suspending(let run): try await run()
            }
        }
    }

    /// Runs the pipeline and gives its value or its failure, as `value` does, without throwing.
    @inlinable public var result: Result<Output, Failure> {
        get async {
            do throws(Failure) {
                return .success(try await value)
            } catch {
                return .failure(error)
            }
        }
    }

    /// What most operators are made of: the outcome of this pipeline becomes another one, without suspending.
    @inlinable
    func mapResult<NewOutput, NewFailure: Error>(
        _ transform: @escaping @Sendable (Result<Output, Failure>) throws(NewFailure) -> NewOutput
    ) -> Pipeline<NewOutput, NewFailure> {
        switch source {
        case .immediate(let run):
            Pipeline<NewOutput, NewFailure>(
                immediate: { () throws(NewFailure) in try transform(Result { () throws(Failure) in try run() }) })
        case .suspending:
            Pipeline<NewOutput, NewFailure> { () async throws(NewFailure) in try transform(await result) }
        }
    }

    /// Does something first, each time the pipeline is run; what it throws is the failure, and nothing is run.
    func preceded(by first: @escaping @Sendable () throws(Failure) -> Void) -> Pipeline {
        switch source {
        case .immediate(let run):
            Pipeline(
                immediate: { () throws(Failure) in
                    try first()
                    return try run()
                })
        case .suspending(let run):
            Pipeline { () async throws(Failure) in
                try first()
                return try await run()
            }
        }
    }
}

extension Pipeline where Failure == Never {
    /// Runs the pipeline, which cannot fail, and gives its value.
    ///
    /// The same as the general property, which Swift 6.3 crashes on where the failure is `Never`.
    @inlinable public var value: Output {
        get async {
            switch await result {
            case .success(let value): value
            }
        }
    }
}
