import Errand

/// An API as a user writes it, for tests of the replacements for its network.
class ShelfAPI: APIBase {
    override init() {
        super.init()
        baseURL = URL(string: "https://shelf.example.com/v1")
    }

    override func startRequest() -> Pipeline<DataResponse, any Error> {
        super.startRequest().validateStatusCode(in: 200..<300)
    }
}

struct Volume: Codable, Equatable, Sendable {
    var id: Int
    var title = "untitled"

    static let first = Volume(id: 1, title: "Malafrena")
    static let second = Volume(id: 2, title: "Orsinian Tales")
}

final class VolumesRequest: ShelfAPI, Request {
    init(_ query: URLQuery = [:]) {
        super.init()
        path = "/volumes"
        self.query = query
    }

    func start() -> Pipeline<[Volume], any Error> {
        sendRequest().decode([Volume].self)
    }
}

final class VolumeRequest: ShelfAPI, Request {
    init(_ id: Int) {
        super.init()
        path = "/volumes/\(id)"
    }

    func start() -> Pipeline<Volume, any Error> {
        sendRequest().decode(Volume.self)
    }
}

final class AddVolumeRequest: ShelfAPI, Request {
    init(_ volume: Volume) {
        super.init()
        method = .post
        path = "/volumes"
        body = .json(volume)
    }

    func start() -> Pipeline<Volume, any Error> {
        sendRequest().decode(Volume.self)
    }
}

/// Any request, whose value is the whole response.
final class ShelfRequest: ShelfAPI, Request {
    init(_ path: RequestPath) {
        super.init()
        self.path = path
    }

    func start() -> Pipeline<DataResponse, any Error> {
        sendRequest()
    }
}

final class WatchShelfRequest: ShelfAPI, StreamingRequest {
    init(_ path: RequestPath) {
        super.init()
        self.path = path
    }

    func startStream() -> ResponseStream {
        sendStream()
    }
}
