#if defined(__linux__)
// Declares memfd_create.
#define _GNU_SOURCE
#endif

#include "CEvents.h"

#if defined(__linux__)

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/sockios.h>
#include <linux/unix_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

int cevents_make_queue(void) { return epoll_create1(EPOLL_CLOEXEC); }
int cevents_make_wakeup(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void cevents_wake(int wakeup) {
    const uint64_t once = 1;
    // Fails only if the counter would exceed 2^64 - 2, which means as many calls without a read.
    if (write(wakeup, &once, sizeof once) < 0) return;
}

int cevents_close(int descriptor) { return close(descriptor); }

int cevents_make_file(const void *bytes, size_t count) {
    const int descriptor = memfd_create("errand", MFD_CLOEXEC);
    if (descriptor < 0 || write(descriptor, bytes, count) == (ssize_t)count) return descriptor;
    close(descriptor);
    return -1;
}

bool cevents_lacks_descriptors(void) {
    const int descriptor = eventfd(0, EFD_CLOEXEC);
    if (descriptor < 0) return errno == EMFILE || errno == ENFILE;
    close(descriptor);
    return false;
}

void cevents_set_close_on_exec(int descriptor) { fcntl(descriptor, F_SETFD, FD_CLOEXEC); }

static bool describe(int descriptor, struct stat *description) {
    return fstat(descriptor, description) == 0 && S_ISSOCK(description->st_mode);
}

// Returns the inode of the peer of a Unix-domain socket, from the kernel (sock_diag(7)); 0 if there is none.
static unsigned int inode_of_peer(unsigned int inode) {
    const int kernel = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (kernel < 0) return 0;
    struct {
        struct nlmsghdr header;
        struct unix_diag_req request;
    } question = {
        .header = {.nlmsg_len = sizeof question, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST},
        .request = {
            .sdiag_family = AF_UNIX, .udiag_states = -1, .udiag_ino = inode, .udiag_show = UDIAG_SHOW_PEER,
            .udiag_cookie = {-1, -1}},
    };
    union {
        struct nlmsghdr header;
        char bytes[512];
    } answer;
    unsigned int peer = 0;
    ssize_t size = send(kernel, &question, sizeof question, 0);
    if (size > 0) size = recv(kernel, &answer, sizeof answer, 0);
    if (size > 0 && NLMSG_OK(&answer.header, size) && answer.header.nlmsg_type == SOCK_DIAG_BY_FAMILY) {
        int left = answer.header.nlmsg_len - NLMSG_LENGTH(sizeof(struct unix_diag_msg));
        struct rtattr *attribute = (struct rtattr *)((struct unix_diag_msg *)NLMSG_DATA(&answer.header) + 1);
        for (; RTA_OK(attribute, left); attribute = RTA_NEXT(attribute, left)) {
            if (attribute->rta_type == UNIX_DIAG_PEER) memcpy(&peer, RTA_DATA(attribute), sizeof peer);
        }
    }
    close(kernel);
    return peer;
}

void cevents_set_close_on_exec_pair(int descriptor) {
    cevents_set_close_on_exec(descriptor);
    struct stat description;
    const unsigned int peer = describe(descriptor, &description) ? inode_of_peer(description.st_ino) : 0;
    // The ends of a pair are created together, so their descriptors are usually close to each other.
    for (int other = descriptor + 1; peer != 0 && other <= descriptor + 1024; other++) {
        if (describe(other, &description) && description.st_ino == peer) return cevents_set_close_on_exec(other);
    }
}

void cevents_keep_alive(int descriptor, int idle_seconds, unsigned int milliseconds) {
    // A Unix-domain socket rejects all of these options; its peer cannot disappear.
    setsockopt(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, &milliseconds, sizeof milliseconds);
    if (idle_seconds <= 0) return;
    const int yes = 1, probes = 3;
    const int pause = idle_seconds >= probes ? idle_seconds / probes : 1;
    setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
    setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, &idle_seconds, sizeof idle_seconds);
    setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, &pause, sizeof pause);
    setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
}

bool cevents_is_readable(int descriptor) {
    struct pollfd polled = {.fd = descriptor, .events = POLLIN};
    return poll(&polled, 1, 0) > 0;
}

int cevents_unacknowledged(int descriptor) {
    int count = 0;
    return ioctl(descriptor, SIOCOUTQ, &count) == 0 ? count : 0;
}

uint64_t cevents_identity(int descriptor) {
    struct stat description;
    return describe(descriptor, &description) ? description.st_ino : 0;
}

typedef int (*Naming)(int, struct sockaddr *, socklen_t *);

static int port_of(int descriptor, Naming name) {
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } address;
    socklen_t length = sizeof address;
    if (name(descriptor, &address.any, &length) != 0) return -1;
    switch (address.any.sa_family) {
    case AF_INET: return ntohs(address.v4.sin_port);
    case AF_INET6: return ntohs(address.v6.sin6_port);
    default: return -1;
    }
}

int cevents_local_port(int descriptor) { return port_of(descriptor, getsockname); }

bool cevents_connects(int descriptor, int local_port, int remote_port) {
    return cevents_local_port(descriptor) == local_port && port_of(descriptor, getpeername) == remote_port;
}

void cevents_block_sigpipe(bool is_held) {
    static _Thread_local bool was_let_through;
    sigset_t signals, before;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    if (!is_held && !was_let_through) return;
    // A signal that was raised meanwhile would end the process now.
    const struct timespec now = {0};
    while (!is_held && sigtimedwait(&signals, NULL, &now) == SIGPIPE) {}
    pthread_sigmask(is_held ? SIG_BLOCK : SIG_UNBLOCK, &signals, &before);
    if (is_held && !sigismember(&before, SIGPIPE)) was_let_through = true;
}

static bool control(int queue, int operation, int descriptor, uint32_t events) {
    struct epoll_event event = {.events = events, .data.fd = descriptor};
    return epoll_ctl(queue, operation, descriptor, &event) == 0;
}

// Edge-triggered: each call of `cevents_wake` is a separate event, and the counter is never read.
bool cevents_watch_wakeup(int queue, int wakeup) { return control(queue, EPOLL_CTL_ADD, wakeup, EPOLLIN | EPOLLET); }

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

void cevents_release(const void *object) { __tsan_release((void *)object); }
void cevents_acquire(const void *object) { __tsan_acquire((void *)object); }
#else
void cevents_release(const void *object) { (void)object; }
void cevents_acquire(const void *object) { (void)object; }
#endif

#endif
