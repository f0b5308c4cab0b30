// zlib's stable ABI: the layout of z_stream and the constants of zlib.h, version 1.

#ifndef ZLIB_ABI_H
#define ZLIB_ABI_H

typedef struct ZStream {
    const unsigned char *next_in;
    unsigned int avail_in;
    unsigned long total_in;
    unsigned char *next_out;
    unsigned int avail_out;
    unsigned long total_out;
    const char *msg;
    void *state;
    void *(*zalloc)(void *, unsigned int, unsigned int);
    void (*zfree)(void *, void *);
    void *opaque;
    int data_type;
    unsigned long adler;
    unsigned long reserved;
} ZStream;

enum {
    ZABI_OK = 0,
    ZABI_STREAM_END = 1,
    ZABI_BUF_ERROR = -5,
    ZABI_NO_FLUSH = 0,
    ZABI_SYNC_FLUSH = 2,
    ZABI_FINISH = 4,
    ZABI_DEFLATED = 8,
    ZABI_DEFAULT_COMPRESSION = -1,
    ZABI_DEFAULT_STRATEGY = 0,
};

#endif
