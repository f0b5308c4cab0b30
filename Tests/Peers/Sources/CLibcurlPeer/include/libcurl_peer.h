#ifndef LIBCURL_PEER_H
#define LIBCURL_PEER_H

#include <stdbool.h>

// The options of a connection. The authority is a PEM file, or NULL.
typedef struct LibcurlPeerOptions {
    const char *authority;
    bool speaks_http2;
    bool takes_gzip;
} LibcurlPeerOptions;

// Sends `count` GET requests for a URL, `concurrency` at a time.
// Returns the total number of body bytes, or -1 after a failure.
long long libcurl_peer_get(const char *url, int concurrency, int count, LibcurlPeerOptions options);

#endif
