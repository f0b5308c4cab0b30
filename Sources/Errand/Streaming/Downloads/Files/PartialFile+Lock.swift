extension PartialFile {
    /// Opens or creates the file, and locks it.
    ///
    /// - Returns: The descriptor, which holds the lock until it is closed.
    static func openLocked(_ path: String) throws(ErrandError) -> Int32 {
        // The previous owner of the lock may have moved or removed the file. The lock is then on a file without this
        // path, and the loop opens the path again. `O_NONBLOCK` keeps a pipe at this path from blocking.
        for _ in 0..<100 {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
            guard descriptor >= 0 else { throw .fileFailure("cannot create", path) }
            do throws(ErrandError) {
                if try lock(descriptor, path) { return descriptor }
            } catch {
                close(descriptor)
                throw error
            }
            close(descriptor)
        }
        throw ErrandError(.downloadInProgress, reason: "other downloads replaced \(path) repeatedly")
    }

    /// Locks the file and returns whether the path still leads to it.
    ///
    /// A file that another user could have written is removed: one with another owner, several links, or permissions
    /// for others.
    private static func lock(_ descriptor: Int32, _ path: String) throws(ErrandError) -> Bool {
        var (opened, found) = (stat(), stat())
        guard fstat(descriptor, &opened) == 0 else { throw .fileFailure("cannot read", path) }
        guard opened.st_mode & S_IFMT == S_IFREG else {
            throw ErrandError(.fileAccessFailed, reason: "\(path) is not a regular file")
        }
        // The file is locked before its permissions are checked: a download that holds the lock may be moving it to the
        // target, and may already have given it the permissions of a complete file. Other errors of `flock` are
        // ignored, since some network file systems have no locks. Another user's file needs no lock, since it is
        // removed below.
        if opened.st_uid == geteuid(), flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            throw ErrandError(.downloadInProgress, reason: "another download has locked \(path)")
        }
        guard lstat(path, &found) == 0, found.st_ino == opened.st_ino, found.st_dev == opened.st_dev else {
            return false
        }
        guard found.st_uid == geteuid(), found.st_nlink <= 1, found.st_mode & 0o077 == 0 else {
            guard unlink(path) == 0 || errno == ENOENT else { throw .fileFailure("cannot remove", path) }
            return false
        }
        return true
    }
}
