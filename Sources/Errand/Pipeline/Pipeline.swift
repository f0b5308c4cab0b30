/// Asynchronous work that has not started, and that ends with one value or one failure.
///
/// A pipeline is cold: creating it and applying operators does nothing. A run begins when the pipeline's `value` or
/// ``result`` is awaited, or with ``sink(receiveCompletion:receiveValue:)``. Each run is a new one, except with
/// ``share()``.
///
/// ```swift
/// let users = try await UsersRequest().start().value
/// let names = UsersRequest().start().map { $0.map(\.name) }
/// ```
///
/// It runs in the isolation of the task that awaits it. On the main actor, immediate values pass through their
/// operators without leaving the actor. Cancelling the awaiting task cancels the run. Work with several values is an
/// `AsyncSequence`, not a pipeline.
///
/// The hot path is inlinable, so that operators are specialized for the types with which they are used.
@frozen
public struct Pipeline<Output, Failure: Error>: Sendable {
    /// The source of the value. An operator on an immediate value is immediate too, and does not suspend.
    @usableFromInline
    @frozen
    enum Source: Sendable {
        case immediate(@Sendable () throws(Failure) -> Output)
        case suspending(@Sendable () async throws(Failure) -> Output)
    }

    @usableFromInline let source: Source

    /// Creates a pipeline that calls an async closure for each run.
    ///
    /// - Parameter body: The work. It is cancelled with the task that awaits the pipeline, and should then end soon.
    @inlinable
    public init(_ body: @escaping @Sendable () async throws(Failure) -> Output) {
        source = .suspending(body)
    }

    @inlinable
    init(immediate body: @escaping @Sendable () throws(Failure) -> Output) {
        source = .immediate(body)
    }

    /// Runs the pipeline and returns its value.
    ///
    /// Cancelling the awaiting task cancels the work. The source determines when this throws, and which error: a
    /// request fails immediately with ``ErrandError/Code-swift.struct/cancelled``.
    ///
    /// - Throws: The failure of the source or of an operator.
    @inlinable public var value: Output {
        get async throws(Failure) {
            switch source {
            case .immediate(let run): try run()
            case .suspending(let run): try await run()
            }
        }
    }

    /// Runs the pipeline and returns its value or its failure, as `value` does, without throwing.
    @inlinable public var result: Result<Output, Failure> {
        get async {
            do throws(Failure) {
                return .success(try await value)
            } catch {
                return .failure(error)
            }
        }
    }

    /// Returns a pipeline that transforms the outcome without suspending. Most operators use it.
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

    /// Returns a pipeline that calls a closure before each run. If the closure throws, its error is the failure, and
    /// the run does not start.
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
    /// Runs the pipeline, which cannot fail, and returns its value.
    ///
    /// It is the same as the general property, on which Swift 6.3 crashes if the failure is `Never`.
    @inlinable public var value: Output {
        get async {
            switch await result {
            case .success(let value): value
            }
        }
    }
}
