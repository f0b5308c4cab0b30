import Errand
import OpenCombine

/// Three operators, built and run this many times.
func runPipeline(_ peer: String, count: Int) async throws {
    let measurement = Measurement("pipeline", peer)
    var sum = 0
    switch peer {
    case "errand":
        for index in 0..<count { sum &+= try await pipeline(index).value }
    case "opencombine":
        for index in 0..<count {
            let publisher = Just(index).setFailureType(to: (any Error).self)
                .tryMap { $0 &+ 1 }.tryMap { $0 &* 3 }.map { $0 ^ 5 }.eraseToAnyPublisher()
            withExtendedLifetime(publisher.sink(receiveCompletion: { _ in }, receiveValue: { sum &+= $0 })) {}
        }
    default: throw Usage()
    }
    measurement.finish(count: count, bytes: sum & 0xFF)
}

/// Never inlined, as a request's `start()` is not: otherwise the compiler optimizes the pipeline away.
@inline(never)
private func pipeline(_ index: Int) -> Pipeline<Int, any Error> {
    .just(index).tryMap { $0 &+ 1 }.tryMap { $0 &* 3 }.map { $0 ^ 5 }
}
