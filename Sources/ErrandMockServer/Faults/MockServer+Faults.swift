public import Errand
import ErrandTesting

extension MockServer {
    /// Sets the fault of all connections that are accepted from now on; `nil` for none.
    public func onConnection(_ fault: MockConnectionFault?) {
        faults.setConnections(fault.map { Turns([$0], repeatingLast: true) })
    }

    /// Sets the faults of the next accepted connections, one for each. Later connections have none.
    ///
    /// - Parameter faults: The faults in the order of the connections; `nil` for a connection without a fault.
    public func onConnection(inTurn faults: [MockConnectionFault?]) {
        self.faults.setConnections(Turns(faults))
    }

    /// Sets the fault for reading the bodies of matching requests.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - pattern: As for ``on(_:_:handler:)``; if several match, the last added one is used.
    ///   - fault: The fault for each matching request with a body; `nil` for none.
    public func onUpload(_ method: RequestMethod, _ pattern: String, _ fault: MockUploadFault?) {
        faults.addUpload(method, pattern, Turns([fault], repeatingLast: true))
    }

    /// Sets the faults for reading the bodies of the next matching requests, one for each. Later requests have none.
    public func onUpload(_ method: RequestMethod, _ pattern: String, inTurn faults: [MockUploadFault?]) {
        self.faults.addUpload(method, pattern, Turns(faults))
    }
}
