import Errand

/// The measurement that the arguments select.
enum Job {
    case http(HTTPLoad, Carrier, concurrency: Int, count: Int)
    case pipeline(count: Int)
    case json(JSONLoad, URL, count: Int)
    case shape(JSONLoad, JSONShape, count: Int)
    case shapes
    case stub(count: Int)
    case mainActor(bytes: Int)
    case origins(URL, count: Int)
    case webSocket(URL, count: Int, Executor)
    case download(URL)
    case upload(URL, bytes: Int)

    enum Carrier: String {
        case curl, urlsession

        var transport: any Transport {
            switch self {
            case .curl: .curl
            case .urlsession: .urlSession
            }
        }
    }

    enum Executor: String {
        case shared, transport

        var preference: (any TaskExecutor)? { self == .transport ? CurlTransport.shared.executor : nil }
    }

    enum Observers: String {
        case none, silent, summary

        var list: [any ExchangeObserver] {
            switch self {
            case .none: []
            case .silent: [SilentObserver()]
            case .summary: [ExchangeSummary()]
            }
        }
    }

    struct Usage: Error, CustomStringConvertible {
        let description =
            "http URL CONCURRENCY COUNT [--transport curl|urlsession] [--executor shared|transport]"
            + " [--observers none|silent|summary]"
            + " | decode FILE COUNT [--coder errand|foundation] | encode FILE COUNT [--coder errand|foundation]"
            + " | shape NAME decode|encode COUNT [--coder errand|foundation] | shapes"
            + " | websocket URL COUNT [--executor shared|transport]"
            + " | pipeline COUNT | stub COUNT | main-actor BYTES | origins URL COUNT | download URL | upload URL BYTES"
    }

    init(arguments: [String]) throws {
        let words = arguments.filter { !$0.hasPrefix("--") && !Self.isValue($0, in: arguments) }
        func option<Value: RawRepresentable<String>>(_ name: String, _ standard: Value) throws -> Value {
            guard let index = arguments.firstIndex(of: name) else { return standard }
            guard let value = arguments.dropFirst(index + 1).first.flatMap(Value.init(rawValue:)) else { throw Usage() }
            return value
        }
        func number(_ index: Int) throws -> Int {
            guard words.indices.contains(index), let number = Int(words[index]), number > 0 else { throw Usage() }
            return number
        }
        func url() throws -> URL {
            guard words.count > 1, let url = URL(string: words[1]) else { throw Usage() }
            return url
        }
        switch words.first {
        case "http":
            let carrier = try option("--transport", Carrier.curl)
            let load = HTTPLoad(
                url: try url(), transport: carrier.transport, executor: try option("--executor", .shared),
                observers: try option("--observers", Observers.none).list)
            self = .http(load, carrier, concurrency: try number(2), count: try number(3))
        case "decode", "encode":
            guard words.count > 1, let job = JSONLoad.Job(rawValue: words[0]) else { throw Usage() }
            let load = JSONLoad(job: job, coder: try option("--coder", .errand))
            self = .json(load, URL(fileURLWithPath: words[1]), count: try number(2))
        case "shape":
            guard words.count > 2, let shape = JSONShape.all.first(where: { $0.name == words[1] }),
                let job = JSONLoad.Job(rawValue: words[2])
            else { throw Usage() }
            self = .shape(JSONLoad(job: job, coder: try option("--coder", .errand)), shape, count: try number(3))
        case "shapes": self = .shapes
        case "pipeline": self = .pipeline(count: try number(1))
        case "stub": self = .stub(count: try number(1))
        case "main-actor": self = .mainActor(bytes: try number(1))
        case "origins": self = .origins(try url(), count: try number(2))
        case "websocket":
            self = .webSocket(try url(), count: try number(2), try option("--executor", Executor.shared))
        case "download": self = .download(try url())
        case "upload": self = .upload(try url(), bytes: try number(2))
        default: throw Usage()
        }
    }

    private static func isValue(_ word: String, in arguments: [String]) -> Bool {
        guard let index = arguments.firstIndex(of: word), index > 0 else { return false }
        return arguments[index - 1].hasPrefix("--")
    }

    func run() async throws {
        switch self {
        case .http(let load, let carrier, let concurrency, let count):
            let name = "errand-\(carrier.rawValue)-\(load.executor.rawValue)"
            var report = Report(name: name, job: "http", concurrency: concurrency)
            report.bytes = try await load.run(concurrency: concurrency, count: count)
            report.finish(count: count)
        case .shape(let load, let shape, let count):
            var report = Report(name: load.coder.rawValue, job: "\(load.job)-\(shape.name)")
            report.bytes = try shape.run(load, count: count)
            report.finish(count: count)
        case .shapes:
            for shape in JSONShape.all { print(shape.name) }
        case .pipeline(let count):
            var report = Report(name: "errand", job: "pipeline")
            report.bytes = try await PipelineLoad.run(count: count) & 0xFF
            report.finish(count: count)
        case .json(let load, let file, let count):
            let name = file.deletingPathExtension().lastPathComponent
            var report = Report(name: load.coder.rawValue, job: "\(load.job)-\(name)")
            report.bytes = try load.run(file, count: count)
            report.finish(count: count)
        case .stub(let count):
            var report = Report(name: "errand", job: "stub")
            report.bytes = try await StubLoad.run(count: count)
            report.finish(count: count)
        case .mainActor(let bytes):
            var report = Report(name: "errand", job: "main-actor")
            (report.bytes, report.gaps) = try await MainActorLoad.run(bytes: bytes)
            report.finish(count: 1)
        case .origins(let url, let count):
            var report = Report(name: "errand-curl", job: "origins", concurrency: count)
            report.bytes = try await OriginsLoad.run(url, count: count)
            report.finish(count: count)
        case .webSocket(let url, let count, let executor):
            var report = Report(name: "errand-curl-\(executor.rawValue)", job: "websocket", concurrency: 1)
            report.bytes = try await WebSocketLoad.run(url, count: count, executor: executor)
            report.finish(count: count)
        case .download(let url):
            var report = Report(name: "errand-curl", job: "download")
            report.bytes = try await TransferLoad.download(url)
            report.finish(count: 1)
        case .upload(let url, let bytes):
            var report = Report(name: "errand-curl", job: "upload")
            report.bytes = try await TransferLoad.upload(bytes, to: url)
            report.finish(count: 1)
        }
    }
}
