/// A request for one page of a list. Every ``APIBase`` conforms to it.
public protocol Pageable: AnyObject {
    /// The page to request; `nil` if the request is not for a page.
    var pagePosition: PagePosition? { get set }
}
