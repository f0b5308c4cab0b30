import Errand

/// Sends the same as another request, and decodes the response as JSON of any shape.
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
