import Errand
import TestSupport
import Testing

/// The samples of the guide "Streams", and tests of their results.
@Suite(.hangGuard) struct `The guide to streams` {
    private struct Reading: Decodable {
        var value: Int
    }

    private class MetersAPI: APIBase {
        override init() {
            super.init()
            baseURL = URL(string: "https://meters.example.com")
        }
    }

    private final class ReadingsRequest: MetersAPI, StreamingRequest {
        override init() {
            super.init()
            path = "/readings"
        }

        func startStream() -> some AsyncSequence<Reading, any Error> & Sendable {
            sendStream().values(of: Reading.self)
        }
    }

    private func request(_ pieces: [String]) -> ReadingsRequest {
        let request = ReadingsRequest()
        request.dataTaskPipeline = request.stubStream(headers: ["Content-Type": "text/plain"], pieces)
        return request
    }

    /// Compiled but not run, because these would send requests to a real host.
    private func read(_ request: ReadingsRequest) async throws {
        for try await reading in ReadingsRequest().startStream() { print(reading.value) }
        for try await result in request.sendStream().results(of: Reading.self) {
            switch result {
            case .success(let reading): print(reading.value)
            case .failure(let error): print("left out: \(error)")
            }
        }
    }

    private func readLines(of request: ReadingsRequest) async throws {
        let response = try await request.sendStream().open()
        print(response.headers[.contentType] ?? "no type")
        for try await line in response.body.lines(maximumLength: 65_536) { print(line) }
    }

    @Test func `the guide: values are read as they arrive`() async throws {
        var sum = 0
        for try await reading in request(["{\"value\": 1}\n", "{\"value\": 2}\n"]).startStream() {
            sum += reading.value
        }
        #expect(sum == 3)
    }

    @Test func `the guide: the head is read before the lines`() async throws {
        let request = request(["one\ntwo"])
        let response = try await request.sendStream().open()
        #expect(response.headers[.contentType] ?? "no type" == "text/plain")
        var lines: [String] = []
        for try await line in response.body.lines(maximumLength: 65_536) { lines.append(line) }
        #expect(lines == ["one", "two"])
    }

    @Test func `the guide: results continue after an invalid value`() async throws {
        let request = request(["{\"value\": 1}\nno\n{\"value\": 3}\n"])
        var found: [String] = []
        for try await result in request.sendStream().results(of: Reading.self) {
            switch result {
            case .success(let reading): found.append("\(reading.value)")
            case .failure(let error): found.append("left out: \(error)")
            }
        }
        #expect(found.count == 3)
        #expect(
            found[1].hasPrefix("left out: GET https://meters.example.com/readings: decodingFailed: value 2: not JSON"))
    }

    @Test func `the guide: a stream is tested with pieces`() async throws {
        let request = ReadingsRequest()
        request.dataTaskPipeline = request.stubStream(["{\"value\": 1}\n{\"val", "ue\": 2}\n"])
        var values: [Int] = []
        for try await reading in request.startStream() { values.append(reading.value) }
        #expect(values == [1, 2])
    }
}
