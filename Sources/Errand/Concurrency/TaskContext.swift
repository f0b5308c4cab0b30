/// What the library hands to the work inside a task, past the code of users: the one task-local for all of it.
///
/// The work inherits it as any task-local value. Each type of value belongs to one part of the library, which says who sets it
/// and who reads it.
package struct TaskContext: Sendable {
    @TaskLocal package static var current = TaskContext()

    /// Values for the work of one request, which a detached task does not get.
    private var own = TypedValues()
    /// Values for all work that the task begins, detached tasks included.
    private var inherited = TypedValues()

    /// The value of a type; `nil` if no task further out has set one.
    package subscript<Value: Sendable>(type: Value.Type) -> Value? { own[type] ?? inherited[type] }

    /// This context with another value of a type, or with none, for the work of one request.
    func with<Value: Sendable>(_ value: Value?, as type: Value.Type = Value.self) -> TaskContext {
        var context = self
        context.own[type] = value
        return context
    }

    /// This context with another value of a type for all work that the task begins, detached tasks included.
    package func inheriting<Value: Sendable>(_ value: Value?, as type: Value.Type = Value.self) -> TaskContext {
        var context = self
        context.inherited[type] = value
        return context
    }

    /// Starts a task that gets the values for all work, and nothing else of the caller: no other task-local value, not its
    /// actor, and by default not its priority.
    static func detached(
        priority: TaskPriority? = nil, _ work: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
        var context = TaskContext()
        context.inherited = current.inherited
        return Task.detached(priority: priority) { [context] in await $current.withValue(context) { await work() } }
    }
}
