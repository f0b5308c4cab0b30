// Waiting for many sockets at once, and being woken by another thread: Linux's epoll and eventfd, which Swift's own
// view of the system leaves out.

#ifndef CEVENTS_H
#define CEVENTS_H

#include <stdbool.h>
#include <stddef.h>

// What happened to a descriptor.
typedef struct CEvent {
    int descriptor;
    bool is_readable;
    bool is_writable;
    // It is broken: reading and writing both tell how.
    bool has_failed;
} CEvent;

// A queue of events, or -1.
int cevents_make_queue(void);
// Something that `cevents_ring` makes readable, or -1.
int cevents_make_bell(void);
void cevents_ring(int bell);
// Closes a descriptor: also a queue or a bell.
int cevents_close(int descriptor);
// A file in memory that has these bytes, to be opened as /proc/self/fd/N, or -1.
int cevents_make_file(const void *bytes, size_t count);
// Whether the process, or the system, has no descriptor left.
bool cevents_lacks_descriptors(void);
// Keeps a descriptor from the programs that the process starts.
void cevents_keep_from_programs(int descriptor);
// The same for both ends of a pair of sockets, of which the other is looked for among the next 1,024 descriptors.
void cevents_keep_pair_from_programs(int descriptor);

// Has the system look for a peer that has gone: it asks after `idle_seconds` without a byte, or never for 0, and gives up
// when nothing is acknowledged for `milliseconds`.
void cevents_keep_alive(int descriptor, int idle_seconds, unsigned int milliseconds);
// Whether something has come that was not read, or the peer has closed.
bool cevents_is_readable(int descriptor);
// Whether a descriptor is a connection between these ports.
bool cevents_connects(int descriptor, int local_port, int remote_port);
// The port of this side of a connection; -1 for none.
int cevents_local_port(int descriptor);
// Holds back SIGPIPE in the calling thread, which a write to a closed connection raises, or lets it through again, unless it
// was held back before the first time.
void cevents_hold_broken_pipe(bool is_held);

// Waits for the bell to be rung, once for each time.
bool cevents_watch_bell(int queue, int bell);
// Waits for so much of a descriptor from here on, as long as it is so; a closed descriptor is forgotten by itself.
bool cevents_watch(int queue, int descriptor, bool is_readable, bool is_writable);
void cevents_forget(int queue, int descriptor);
// Waits so many milliseconds, -1 for ever; the number of events, at most 64 and the capacity.
int cevents_wait(int queue, CEvent *events, int capacity, int milliseconds);

// What the calling thread has been told to remember; NULL where it was told nothing.
const void *cevents_thread_value(void);
void cevents_set_thread_value(const void *value);

// What one thread has done before it hands something over, another may count on once it has taken it: told to the thread
// sanitizer, in a build for it, where something else than a lock sees to that. Otherwise these do nothing.
void cevents_hand_over(const void *object);
void cevents_take_over(const void *object);

#endif
