public import Errand

extension MockServer {
    /// Has this go wrong with every connection that is accepted from now on; nil for none.
    public func onConnection(_ fault: MockConnectionFault?) {
        faults.setConnections(fault.map { Turns([$0], repeatingLast: true) })
    }

    /// Has these go wrong with the connections that are accepted from now on, one each; the others are sound.
    ///
    /// - Parameter faults: In order of arrival; nil leaves a connection sound.
    public func onConnection(inTurn faults: [MockConnectionFault?]) {
        self.faults.setConnections(Turns(faults))
    }

    /// Has this go wrong while the bodies of requests are read.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - pattern: As for ``on(_:_:handler:)``; of several that match, the latest is taken.
    ///   - fault: What goes wrong with every such request that has a body; nil for nothing.
    public func onUpload(_ method: RequestMethod, _ pattern: String, _ fault: MockUploadFault?) {
        faults.addUpload(method, pattern, Turns([fault], repeatingLast: true))
    }

    /// Has these go wrong while the bodies of requests are read, one each; the requests behind them are read in peace.
    public func onUpload(_ method: RequestMethod, _ pattern: String, inTurn faults: [MockUploadFault?]) {
        self.faults.addUpload(method, pattern, Turns(faults))
    }
}
