import Errand

/// Builds and awaits a pipeline of two `tryMap` and a `map`.
enum PipelineLoad {
    static func run(count: Int) async throws -> Int {
        var sum = 0
        for index in 0..<count { sum &+= try await pipeline(index).value }
        return sum
    }

    /// It is never inlined, like the `start()` of a request. Otherwise, the compiler would optimize the whole pipeline
    /// away.
    @inline(never)
    private static func pipeline(_ index: Int) -> Pipeline<Int, any Error> {
        .just(index).tryMap { $0 &+ 1 }.tryMap { $0 &* 3 }.map { $0 ^ 5 }
    }
}

/// A stubbed leaf request, validated and decoded.
enum StubLoad {
    private struct User: Decodable {
        var id: Int
        var name: String
    }

    private static let fixture = Data(#"[{"id": 1, "name": "Ingrid"}, {"id": 2, "name": "Rafael"}]"#.utf8)

    static func run(count: Int) async throws -> Int {
        let url = URL(fileURLWithPath: "/")
        let base = URL(string: "https://api.example.com/users") ?? url
        var users = 0
        for _ in 0..<count {
            let request = BenchRequest(base, over: .platformDefault)
            request.dataTaskPipeline = request.stubJSONResponse(data: fixture)
            users += try await request.start().decode([User].self).value.count
        }
        return users
    }
}
