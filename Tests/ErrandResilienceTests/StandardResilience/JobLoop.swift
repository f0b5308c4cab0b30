import Errand
import ErrandTesting
import Foundation

/// Runs all tasks of the process on one thread, and moves a manual clock when none of them can run.
///
/// So a simulation with real interceptors has the same result in each run, and takes no real time. It affects the whole
/// process, and so belongs in an exit test.
enum JobLoop {
    private typealias Enqueue = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Enqueue) -> Void

    private static let jobs = Locked<[UnownedJob]>([])

    private final class Executor: TaskExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            JobLoop.jobs.withLock { $0.append(job) }
        }
    }

    /// Starts tasks with a closure, and runs them and their successors until all have ended.
    static func run(_ clock: ManualClock, _ start: () -> Void) throws {
        // The runtime calls this function, if it is set, for each job without a custom executor.
        guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "swift_task_enqueueGlobal_hook") else { throw MissingHook() }
        let hook = symbol.assumingMemoryBound(to: Hook?.self)
        hook.pointee = { job, _ in JobLoop.jobs.withLock { $0.append(job) } }
        defer { hook.pointee = nil }
        start()
        let executor = Executor()
        repeat {
            while let batch = takeJobs() {
                for job in batch { job.runSynchronously(on: executor.asUnownedTaskExecutor()) }
            }
        } while clock.advanceToNextDeadline() != nil
    }

    private struct MissingHook: Error {}

    private static func takeJobs() -> [UnownedJob]? {
        jobs.withLock { jobs in
            defer { jobs = [] }
            return jobs.isEmpty ? nil : jobs
        }
    }
}
