/// What the library hands to the work inside a task, past the code of users: the one task-local for all of it.
///
/// The work inherits it as any task-local value. Each type of value belongs to one part of the library, which says who sets it
/// and who reads it.
package struct TaskContext: Sendable {
    @TaskLocal package static var current = TaskContext()

    private var values = TypedValues()

    /// The value of a type; `nil` if no task further out has set one.
    package subscript<Value: Sendable>(type: Value.Type) -> Value? { values[type] }

    /// This context with another value of a type, or with none.
    package func with<Value: Sendable>(_ value: Value?, as type: Value.Type = Value.self) -> TaskContext {
        var context = self
        context.values[type] = value
        return context
    }

    /// Starts a task that keeps this context alone: no other task-local value of the caller, not its actor, and by default not
    /// its priority.
    static func detached(
        priority: TaskPriority? = nil, _ work: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
        let context = current
        return Task.detached(priority: priority) { await $current.withValue(context) { await work() } }
    }
}
