/// A failure that tests can name.
package enum Fault: Error, Equatable {
    case first
    case second
}
