// The coders read and write `Data`, `Date` and `URL`, so `import ErrandJSON` exports them.
@_exported public import Foundation
