// The tests of the library use both.
@_exported public import TestTools
