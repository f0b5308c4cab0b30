public import ErrandTesting

extension MockServer {
    /// Adds responses to the queue. Each of them is sent to one request that no route matches, in order of arrival.
    ///
    /// ```swift
    /// server.enqueue(.status(503), .json(books))
    /// ```
    ///
    /// The last added route that matches responds to a request. If no route matches, the next response of the queue is
    /// sent. If the queue is empty, ``onAny(handler:)`` responds. Otherwise the response is a 404 whose text says that
    /// no enqueued response is left. The queue is independent of `expect`, `verify` and ``takeRequest(within:clock:)``,
    /// which only look at received requests. A request whose upload is ended by a ``MockUploadFault`` uses no response.
    ///
    /// - Parameter responses: The responses, each for one request.
    public func enqueue(_ responses: MockResponse...) {
        router.enqueue(responses)
    }

    /// Adds an array of responses to the queue, as ``enqueue(_:)-(MockResponse...)`` does.
    ///
    /// - Parameter responses: The responses, each for one request.
    public func enqueue(_ responses: [MockResponse]) {
        router.enqueue(responses)
    }
}
