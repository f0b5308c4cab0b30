/// An error that tests throw and recognize.
package enum Fault: Error, Equatable {
    case first
    case second
}
