#ifndef LIBCURL_PEER_H
#define LIBCURL_PEER_H

#include <stdbool.h>

// How libcurl is to connect; the authority is a PEM file, or NULL.
typedef struct LibcurlPeerOptions {
    const char *authority;
    bool speaks_http2;
    bool takes_gzip;
} LibcurlPeerOptions;

// GETs a URL `count` times, so many at once; how many bytes the bodies had, or -1 after a failure.
long long libcurl_peer_get(const char *url, int concurrency, int count, LibcurlPeerOptions options);

#endif
