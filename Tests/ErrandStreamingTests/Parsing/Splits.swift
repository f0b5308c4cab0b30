import Errand
import Foundation

/// A body in these pieces, which ends with the error if there is one.
func body(_ pieces: [Data], thenThrowing error: (any Error)? = nil) -> ResponseBody {
    let rest = Locked(pieces[...])
    return ResponseBody {
        if let piece = rest.withLock({ $0.popFirst() }) { return piece }
        if let error { throw error }
        return nil
    }
}

/// A body in these pieces of text.
func body(_ pieces: String...) -> ResponseBody {
    body(pieces.map { Data($0.utf8) })
}
