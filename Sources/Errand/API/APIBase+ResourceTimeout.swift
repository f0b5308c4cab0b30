extension Pageable where Self: APIBase {
    /// ``APIBase/resourceTimeout`` as a number of seconds, so that it can be set as ``APIBase/timeoutInterval`` is:
    /// `resourceTimeout = 0.3`.
    ///
    /// Less than zero is zero, and more than a week is a week. Without a limit it is infinite.
    ///
    /// It extends a protocol because a class cannot have two properties of one name.
    @_disfavoredOverload
    public var resourceTimeout: TimeInterval {
        get { (resourceTimeout as Duration?).map { $0 / .seconds(1) } ?? .infinity }
        set {
            let request: APIBase = self
            request.resourceTimeout = Duration(bounding: newValue)
        }
    }
}
