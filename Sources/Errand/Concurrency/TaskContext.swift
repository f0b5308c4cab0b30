/// The values that the library passes to the work inside a task, through the user's code. All of them are in one
/// task-local value. In addition, some interceptors have their own task-local values.
///
/// The work inherits them like any task-local value. Each type of value belongs to one part of the library, which
/// documents the code that sets and reads it.
package struct TaskContext: Sendable {
    @TaskLocal package static var current = TaskContext()

    /// Values for the work of one request, which a detached task does not inherit.
    private var own = TypedValues()
    /// Values for all work that the task starts, including detached tasks.
    private var inherited = TypedValues()

    /// The value of a type; `nil` if no enclosing scope has set one.
    package subscript<Value: Sendable>(type: Value.Type) -> Value? { own[type] ?? inherited[type] }

    /// Returns this context with a new value of a type, or without one, for the work of one request.
    func with<Value: Sendable>(_ value: Value?, as type: Value.Type = Value.self) -> TaskContext {
        var context = self
        context.own[type] = value
        return context
    }

    /// Returns this context with a new value of a type for all work that the task starts, including detached tasks.
    package func inheriting<Value: Sendable>(_ value: Value?, as type: Value.Type = Value.self) -> TaskContext {
        var context = self
        context.inherited[type] = value
        return context
    }

    /// Starts a task that inherits only the values for all work. It does not inherit the caller's other task-local
    /// values, its actor or, by default, its priority.
    static func detached(
        priority: TaskPriority? = nil, _ work: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
        var context = TaskContext()
        context.inherited = current.inherited
        return Task.detached(priority: priority) { [context] in await $current.withValue(context) { await work() } }
    }
}
