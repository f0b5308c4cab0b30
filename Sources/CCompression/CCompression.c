#include "CCompression.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#include "zlib_abi.h"

extern const char *zlibVersion(void);
extern int inflateInit2_(ZStream *stream, int window_bits, const char *version, int stream_size);
extern int inflate(ZStream *stream, int flush);
extern int inflateReset(ZStream *stream);
extern int inflateGetDictionary(ZStream *stream, unsigned char *dictionary, unsigned int *count);
extern int inflateSetDictionary(ZStream *stream, const unsigned char *dictionary, unsigned int count);
extern int inflateEnd(ZStream *stream);
extern int deflateInit2_(
    ZStream *stream, int level, int method, int window_bits, int memory_level, int strategy, const char *version,
    int stream_size);
extern int deflate(ZStream *stream, int flush);
extern int deflateReset(ZStream *stream);
extern int deflateEnd(ZStream *stream);

// Brotli's decoder, loaded on first use, because not every system has it.
static struct {
    void *(*create)(void *, void *, void *);
    void (*destroy)(void *);
    int (*decompress)(void *, size_t *, const uint8_t **, size_t *, uint8_t **, size_t *);
} brotli;
static pthread_once_t brotli_once = PTHREAD_ONCE_INIT;

static void load_brotli(void) {
    void *library = dlopen("libbrotlidec.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    brotli.destroy = dlsym(library, "BrotliDecoderDestroyInstance");
    brotli.decompress = dlsym(library, "BrotliDecoderDecompressStream");
    if (brotli.destroy && brotli.decompress) brotli.create = dlsym(library, "BrotliDecoderCreateInstance");
}

// `ZSTD_inBuffer` and `ZSTD_outBuffer`.
typedef struct ZstandardInput {
    const void *bytes;
    size_t size, position;
} ZstandardInput;
typedef struct ZstandardOutput {
    void *bytes;
    size_t size, position;
} ZstandardOutput;

// Zstandard's decoder, loaded in the same way.
static struct {
    void *(*create)(void);
    size_t (*destroy)(void *);
    size_t (*set)(void *, int parameter, int value);
    size_t (*reset)(void *, int what);
    size_t (*decompress)(void *, ZstandardOutput *, ZstandardInput *);
    unsigned int (*is_error)(size_t);
} zstandard;
static pthread_once_t zstandard_once = PTHREAD_ONCE_INIT;

static void load_zstandard(void) {
    void *library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    zstandard.destroy = dlsym(library, "ZSTD_freeDCtx");
    zstandard.set = dlsym(library, "ZSTD_DCtx_setParameter");
    zstandard.reset = dlsym(library, "ZSTD_DCtx_reset");
    zstandard.decompress = dlsym(library, "ZSTD_decompressStream");
    zstandard.is_error = dlsym(library, "ZSTD_isError");
    if (zstandard.destroy && zstandard.set && zstandard.reset && zstandard.decompress && zstandard.is_error) {
        zstandard.create = dlsym(library, "ZSTD_createDCtx");
    }
}

struct CDecoder {
    CDecoderFormat format;
    ZStream zlib;
    // The state of Brotli's or Zstandard's decoder.
    void *state;
    bool has_ended;
};

bool cdecoder_supports(CDecoderFormat format) {
    switch (format) {
    case CDECODER_BROTLI: pthread_once(&brotli_once, load_brotli); return brotli.create != NULL;
    case CDECODER_ZSTANDARD: pthread_once(&zstandard_once, load_zstandard); return zstandard.create != NULL;
    default: return true;
    }
}

static void *create_zstandard(void) {
    // ZSTD_d_windowLogMax: limits the window of a frame to 8 MiB (RFC 9659).
    enum { WINDOW_LOG_MAX = 100 };
    void *state = zstandard.create();
    if (state) zstandard.set(state, WINDOW_LOG_MAX, 23);
    return state;
}

CDecoder *cdecoder_create(CDecoderFormat format) {
    // zlib's windowBits: 15, and 16 more for a gzip wrapper, negative for none.
    static const int window_bits[] = {[CDECODER_GZIP] = 31, [CDECODER_ZLIB] = 15, [CDECODER_RAW_DEFLATE] = -15};
    if (!cdecoder_supports(format)) return NULL;
    CDecoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    decoder->format = format;
    bool is_ready;
    switch (format) {
    // Without BROTLI_DECODER_PARAM_LARGE_WINDOW, a window has at most 16 MiB (RFC 7932, section 9.1).
    case CDECODER_BROTLI: is_ready = (decoder->state = brotli.create(NULL, NULL, NULL)) != NULL; break;
    case CDECODER_ZSTANDARD: is_ready = (decoder->state = create_zstandard()) != NULL; break;
    default:
        is_ready = inflateInit2_(&decoder->zlib, window_bits[format], zlibVersion(), (int)sizeof(ZStream)) == ZABI_OK;
    }
    if (is_ready) return decoder;
    free(decoder);
    return NULL;
}

void cdecoder_destroy(CDecoder *decoder) {
    switch (decoder->format) {
    case CDECODER_BROTLI: brotli.destroy(decoder->state); break;
    case CDECODER_ZSTANDARD: zstandard.destroy(decoder->state); break;
    default: inflateEnd(&decoder->zlib);
    }
    free(decoder);
}

static unsigned int clamped(size_t count) { return count > UINT_MAX ? UINT_MAX : (unsigned int)count; }

static CDecoderResult decode_zlib(
    CDecoder *decoder, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count) {
    ZStream *stream = &decoder->zlib;
    if (decoder->has_ended) {
        // A gzip body may consist of several members (RFC 1952, section 2.2). Some servers add zeros after a member,
        // which gzip(1) ignores too. No member begins with a zero.
        if (decoder->format != CDECODER_GZIP) return CDECODER_BROKEN;
        while (*input_count > 0 && **input == 0) {
            ++*input;
            --*input_count;
        }
        if (*input_count == 0) return CDECODER_END;
        if (inflateReset(stream) != ZABI_OK) return CDECODER_BROKEN;
        decoder->has_ended = false;
    }
    unsigned int given = clamped(*input_count), room = clamped(*output_count);
    stream->next_in = *input;
    stream->avail_in = given;
    stream->next_out = *output;
    stream->avail_out = room;
    int result = inflate(stream, ZABI_NO_FLUSH);
    *input = stream->next_in;
    *input_count -= given - stream->avail_in;
    *output = stream->next_out;
    *output_count -= room - stream->avail_out;
    decoder->has_ended = result == ZABI_STREAM_END;
    if (result == ZABI_STREAM_END) return CDECODER_END;
    return result == ZABI_OK || result == ZABI_BUF_ERROR ? CDECODER_MORE : CDECODER_BROKEN;
}

static CDecoderResult decode_brotli(
    CDecoder *decoder, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count) {
    switch (brotli.decompress(decoder->state, input_count, input, output_count, output, NULL)) {
    case 0: return CDECODER_BROKEN;
    case 1: return *input_count == 0 ? CDECODER_END : CDECODER_BROKEN;
    default: return CDECODER_MORE;
    }
}

// A body may consist of several frames (RFC 8878, section 3.1); the decoder begins the next one automatically.
static CDecoderResult decode_zstandard(
    CDecoder *decoder, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count) {
    ZstandardInput from = {*input, *input_count, 0};
    ZstandardOutput to = {*output, *output_count, 0};
    size_t result = zstandard.decompress(decoder->state, &to, &from);
    *input += from.position;
    *input_count -= from.position;
    *output += to.position;
    *output_count -= to.position;
    if (zstandard.is_error(result)) return CDECODER_BROKEN;
    return result == 0 ? CDECODER_END : CDECODER_MORE;
}

CDecoderResult cdecoder_decode(
    CDecoder *decoder, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count) {
    switch (decoder->format) {
    case CDECODER_BROTLI: return decode_brotli(decoder, input, input_count, output, output_count);
    case CDECODER_ZSTANDARD: return decode_zstandard(decoder, input, input_count, output, output_count);
    default: return decode_zlib(decoder, input, input_count, output, output_count);
    }
}

bool cdecoder_reset(CDecoder *decoder) {
    // ZSTD_reset_session_only: keeps the limit of the window.
    enum { SESSION_ONLY = 1 };
    decoder->has_ended = false;
    switch (decoder->format) {
    case CDECODER_BROTLI: return false;
    case CDECODER_ZSTANDARD: return !zstandard.is_error(zstandard.reset(decoder->state, SESSION_ONLY));
    default: return inflateReset(&decoder->zlib) == ZABI_OK;
    }
}

bool cdecoder_continue(CDecoder *decoder) {
    unsigned char window[32768];
    unsigned int count = sizeof window;
    if (decoder->format != CDECODER_RAW_DEFLATE) return false;
    if (inflateGetDictionary(&decoder->zlib, window, &count) != ZABI_OK || !cdecoder_reset(decoder)) return false;
    return inflateSetDictionary(&decoder->zlib, window, count) == ZABI_OK;
}

struct CEncoder {
    ZStream zlib;
};

static CEncoder *create_encoder(int window_bits) {
    CEncoder *encoder = calloc(1, sizeof *encoder);
    if (!encoder) return NULL;
    // The memLevel 8 is zlib's default.
    int result = deflateInit2_(
        &encoder->zlib, ZABI_DEFAULT_COMPRESSION, ZABI_DEFLATED, window_bits, 8, ZABI_DEFAULT_STRATEGY, zlibVersion(),
        (int)sizeof(ZStream));
    if (result == ZABI_OK) return encoder;
    free(encoder);
    return NULL;
}

// windowBits: 15, and 16 more for a gzip wrapper, negative for none.
CEncoder *cencoder_create(void) { return create_encoder(31); }
CEncoder *cencoder_create_raw(int window_bits) {
    return window_bits >= 9 && window_bits <= 15 ? create_encoder(-window_bits) : NULL;
}

void cencoder_destroy(CEncoder *encoder) {
    deflateEnd(&encoder->zlib);
    free(encoder);
}

static CEncoderResult encode_some(
    CEncoder *encoder, const uint8_t **input, size_t *input_count, int flush, uint8_t **output, size_t *output_count) {
    ZStream *stream = &encoder->zlib;
    unsigned int given = clamped(*input_count), room = clamped(*output_count);
    stream->next_in = *input;
    stream->avail_in = given;
    stream->next_out = *output;
    stream->avail_out = room;
    int result = deflate(stream, given == *input_count ? flush : ZABI_NO_FLUSH);
    *input = stream->next_in;
    *input_count -= given - stream->avail_in;
    *output = stream->next_out;
    *output_count -= room - stream->avail_out;
    if (result == ZABI_STREAM_END) return CENCODER_END;
    return result == ZABI_OK || result == ZABI_BUF_ERROR ? CENCODER_MORE : CENCODER_FAILED;
}

CEncoderResult cencoder_encode(
    CEncoder *encoder, const uint8_t **input, size_t *input_count, bool is_last, uint8_t **output,
    size_t *output_count) {
    return encode_some(encoder, input, input_count, is_last ? ZABI_FINISH : ZABI_NO_FLUSH, output, output_count);
}

CEncoderResult cencoder_flush(
    CEncoder *encoder, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count) {
    return encode_some(encoder, input, input_count, ZABI_SYNC_FLUSH, output, output_count);
}

bool cencoder_reset(CEncoder *encoder) { return deflateReset(&encoder->zlib) == ZABI_OK; }
