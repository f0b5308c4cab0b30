// Waiting for many sockets at once, and being woken by another thread: Linux's epoll and eventfd, which Swift's own
// view of the system leaves out.

#ifndef CEVENTS_H
#define CEVENTS_H

#include <stdbool.h>

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
// Keeps a descriptor from the programs that the process starts.
void cevents_keep_from_programs(int descriptor);

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
