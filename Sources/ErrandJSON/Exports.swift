// The coders read and write `Data`, `Date` and `URL`, so `import ErrandJSON` also imports Foundation.
@_exported public import Foundation
