import Errand
import ErrandTesting
import TestSupport
import Testing

/// The samples of the guide to logging, with stand-ins for the two logging libraries.
class MuseumAPI: APIBase {
    static let logging = LoggingInterceptor(level: .debug)

    override init() {
        super.init()
        baseURL = URL(string: "https://museum.example.com")
        interceptors.append(Self.logging)
    }
}

final class WorksRequest: MuseumAPI, Request {
    init(_ logging: LoggingInterceptor) {
        super.init()
        interceptors = [logging]
        dataTaskPipeline = stubResponse(statusCode: 200)
    }

    func start() -> Pipeline<DataResponse, any Error> { sendRequest() }
}

struct `The page on logging` {
    @Test func `the guide: disclosure is configured`() async throws {
        var disclosure = LogDisclosure()
        disclosure.queryNames = ["page", "sort"]
        disclosure.headerNames.insert("X-Trace")
        disclosure.showsBodies = true
        disclosure.bodyLimit = 512
        disclosure.hiddenKeys.insert("iban")
        disclosure.showsCurlCommand = true
        disclosure.allows = { item, request in
            item == .header(name: "ETag") && request.urlRequest.url?.host == "museum.example.com"
        }
        let logging = LoggingInterceptor(level: .trace, disclosure: disclosure)
        #expect(logging.disclosure.hiddenKeys.contains("iban"))
        #expect(logging.disclosure.allows(.header(name: "ETag"), limitedRequest("https://museum.example.com")))
        #expect(!logging.disclosure.allows(.header(name: "ETag"), limitedRequest("https://elsewhere.example.com")))
    }

    @Test func `the guide: entries are sent to swift-log`() async throws {
        let logger = Logger(label: "museum")
        let logging = LoggingInterceptor(level: .debug) { entry in
            let level = Logger.Level(rawValue: "\(entry.level)") ?? .info
            logger.log(level: level, "\(entry)", metadata: entry.fields.mapValues { "\($0)" })
        }
        _ = try await WorksRequest(logging).start().value
        #expect(logger.lines.elements.map(\.level) == [.debug, .info])
        #expect(logger.lines.elements.last?.metadata["status"]?.description == "200")
    }

    @Test func `the guide: entries are sent to os.Logger`() async throws {
        let logger = os.Logger(subsystem: "com.example.museum", category: "requests")
        let logging = LoggingInterceptor(level: .debug) { entry in
            let level: OSLogType = entry.level < .info ? .debug : entry.level < .error ? .default : .error
            logger.log(level: level, "\(entry.description, privacy: .public)")
        }
        _ = try await WorksRequest(logging).start().value
        #expect(logger.lines.elements.map(\.level) == [.debug, .default])
        #expect(logger.lines.elements.last?.text.contains("<- 200 GET https://museum.example.com") == true)
    }

    @Test func `an error response is logged`() async throws {
        let (entries, collector) = AsyncStream.makeStream(of: LogEntry.self)
        let logging = LoggingInterceptor(clock: ManualClock(), sink: { collector.yield($0) }, requestID: { _ in "1" })
        let request = WorksRequest(logging)
        request.dataTaskPipeline = request.stubResponse(statusCode: 404)
        _ = try await request.start().value

        let entry = await entries.first { _ in true }
        #expect(entry?.description == "[1] <- 404 GET https://museum.example.com (WorksRequest, 0.0 ms, 0 bytes)")
    }
}
