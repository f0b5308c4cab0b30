// Event waiting for many sockets, and wake-ups from other threads, with Linux's epoll and eventfd, which Swift's system
// modules do not export.

#ifndef CEVENTS_H
#define CEVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The events of a descriptor.
typedef struct CEvent {
    int descriptor;
    bool is_readable;
    bool is_writable;
    // The descriptor failed; both a read and a write return the error.
    bool has_failed;
} CEvent;

// Creates an event queue. Returns -1 on failure.
int cevents_make_queue(void);
// Creates an event descriptor that `cevents_wake` makes readable. Returns -1 on failure.
int cevents_make_wakeup(void);
void cevents_wake(int wakeup);
// Closes any descriptor, including a queue or an event descriptor.
int cevents_close(int descriptor);
// Creates an in-memory file with these bytes, which can be opened as /proc/self/fd/N. Returns its descriptor, or -1 on
// failure.
int cevents_make_file(const void *bytes, size_t count);
// Returns whether the process or the system has no descriptor left.
bool cevents_lacks_descriptors(void);
// Prevents child processes from inheriting a descriptor.
void cevents_set_close_on_exec(int descriptor);
// Does the same for both ends of a socket pair. The other end is searched for among the next 1,024 descriptors.
void cevents_set_close_on_exec_pair(int descriptor);

// Enables TCP keep-alive. The system sends a probe after `idle_seconds` without data, or never for 0. It closes the
// connection if nothing is acknowledged for `milliseconds`.
void cevents_keep_alive(int descriptor, int idle_seconds, unsigned int milliseconds);
// Returns whether there is unread data, or the peer has closed.
bool cevents_is_readable(int descriptor);
// Returns the number of written bytes that the peer has not acknowledged; 0 if it is unknown.
int cevents_unacknowledged(int descriptor);
// Returns a number that no other open socket has; 0 if the descriptor is not an open socket.
uint64_t cevents_identity(int descriptor);
// Returns whether a descriptor is a connection between these ports.
bool cevents_connects(int descriptor, int local_port, int remote_port);
// Returns the local port of a connection; -1 if the descriptor is not a connection.
int cevents_local_port(int descriptor);
// Blocks SIGPIPE, which a write to a closed connection raises, in the calling thread. With `is_held` false, discards a
// pending SIGPIPE and unblocks the signal again, unless it was already blocked before the first call.
void cevents_block_sigpipe(bool is_held);

// Watches an event descriptor: each call of `cevents_wake` is one event.
bool cevents_watch_wakeup(int queue, int wakeup);
// Watches a descriptor from now on, and reports an event as long as its condition holds. A closed descriptor is removed
// automatically.
bool cevents_watch(int queue, int descriptor, bool is_readable, bool is_writable);
void cevents_forget(int queue, int descriptor);
// Waits for at most this number of milliseconds; -1 waits forever. Returns the number of events, at most 64 and at most
// the capacity.
int cevents_wait(int queue, CEvent *events, int capacity, int milliseconds);

// Returns the stored value of the calling thread; NULL if none is stored.
const void *cevents_thread_value(void);
void cevents_set_thread_value(const void *value);

// Marks a handover between threads for the thread sanitizer, in a build for it. The work of one thread before
// `cevents_release` happens before the work of another thread after `cevents_acquire`. Used where something other
// than a lock guarantees this. In other builds these functions do nothing.
void cevents_release(const void *object);
void cevents_acquire(const void *object);

#endif
