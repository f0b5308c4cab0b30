extension Pageable where Self: APIBase {
    /// The value of ``APIBase/resourceTimeout`` in seconds, so that it can be set like ``APIBase/timeoutInterval``:
    /// `resourceTimeout = 0.3`.
    ///
    /// A negative value counts as zero, and NaN or a value above a week as a week. Without a limit, the property is
    /// infinite.
    ///
    /// The property is declared for a protocol, because a class cannot have two properties of the same name.
    @_disfavoredOverload
    public var resourceTimeout: TimeInterval {
        get { (resourceTimeout as Duration?).map { $0 / .seconds(1) } ?? .infinity }
        set {
            let request: APIBase = self
            request.resourceTimeout = Duration(bounding: newValue)
        }
    }
}
