// Generated clients import only this module.
@_exported public import Errand
