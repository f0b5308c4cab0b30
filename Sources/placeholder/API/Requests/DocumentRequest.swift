import Errand

/// Asks what another request asks, and takes the answer for JSON of any shape.
final class DocumentRequest: PlaceholderAPI, Request {
    init(like other: PlaceholderAPI) {
        super.init()
        path = other.path
        query = other.query
    }

    func start() -> Pipeline<JSONValue, any Error> {
        sendRequest().decode(JSONValue.self)
    }
}
