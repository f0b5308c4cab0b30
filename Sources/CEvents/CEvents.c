#include "CEvents.h"

#if defined(__linux__)

#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

int cevents_make_queue(void) { return epoll_create1(EPOLL_CLOEXEC); }
int cevents_make_bell(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void cevents_ring(int bell) {
    const uint64_t once = 1;
    // It fails only when it has been rung 2^64 times and never been read.
    if (write(bell, &once, sizeof once) < 0) return;
}

int cevents_close(int descriptor) { return close(descriptor); }
void cevents_keep_from_programs(int descriptor) { fcntl(descriptor, F_SETFD, FD_CLOEXEC); }

static bool control(int queue, int operation, int descriptor, uint32_t events) {
    struct epoll_event event = {.events = events, .data.fd = descriptor};
    return epoll_ctl(queue, operation, descriptor, &event) == 0;
}

// Each ring is an event of its own, so nobody has to read the bell.
bool cevents_watch_bell(int queue, int bell) { return control(queue, EPOLL_CTL_ADD, bell, EPOLLIN | EPOLLET); }

bool cevents_watch(int queue, int descriptor, bool is_readable, bool is_writable) {
    const uint32_t events = (is_readable ? EPOLLIN : 0) | (is_writable ? EPOLLOUT : 0);
    if (control(queue, EPOLL_CTL_MOD, descriptor, events)) return true;
    return errno == ENOENT && control(queue, EPOLL_CTL_ADD, descriptor, events);
}

void cevents_forget(int queue, int descriptor) { control(queue, EPOLL_CTL_DEL, descriptor, 0); }

int cevents_wait(int queue, CEvent *events, int capacity, int milliseconds) {
    struct epoll_event found[64];
    const int count = epoll_wait(queue, found, capacity < 64 ? capacity : 64, milliseconds);
    for (int index = 0; index < count; index++) {
        const uint32_t bits = found[index].events;
        events[index] = (CEvent){
            .descriptor = found[index].data.fd,
            .is_readable = bits & (EPOLLIN | EPOLLHUP | EPOLLRDHUP),
            .is_writable = bits & EPOLLOUT,
            .has_failed = bits & EPOLLERR,
        };
    }
    return count;
}

static _Thread_local const void *thread_value;

const void *cevents_thread_value(void) { return thread_value; }
void cevents_set_thread_value(const void *value) { thread_value = value; }

#if __has_feature(thread_sanitizer)
extern void __tsan_release(void *address);
extern void __tsan_acquire(void *address);

void cevents_hand_over(const void *object) { __tsan_release((void *)object); }
void cevents_take_over(const void *object) { __tsan_acquire((void *)object); }
#else
void cevents_hand_over(const void *object) { (void)object; }
void cevents_take_over(const void *object) { (void)object; }
#endif

#endif
