/// A request that can ask for a page of a list: every ``APIBase``.
public protocol Pageable: AnyObject {
    /// The page to ask for; `nil` for none.
    var pagePosition: PagePosition? { get set }
}
