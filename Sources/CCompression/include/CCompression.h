// The system's zlib (soname 1) and, where they are there, its decoders for Brotli and Zstandard (soname 1), as far as Errand
// uses them, declared by hand so that building needs no -dev package. libcurl mostly brings them into the process.
//
// `.ci/check-curl-header` compares zlib's layout and constants with the real header.

#ifndef CCOMPRESSION_H
#define CCOMPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// One decompression under way, of whichever format.
typedef struct CDecoder CDecoder;

typedef enum CDecoderFormat {
    CDECODER_GZIP,
    CDECODER_ZLIB,
    CDECODER_RAW_DEFLATE,
    CDECODER_BROTLI,
    CDECODER_ZSTANDARD,
} CDecoderFormat;

typedef enum CDecoderResult {
    // All input is used up, or the output is full: call again with what is missing.
    CDECODER_MORE,
    // The compressed stream has ended, and was whole.
    CDECODER_END,
    // The input is not of this format.
    CDECODER_BROKEN,
} CDecoderResult;

// Whether this system can decode a format.
bool cdecoder_supports(CDecoderFormat format);
// NULL when memory is short or the format is not supported.
CDecoder *cdecoder_create(CDecoderFormat format);
void cdecoder_destroy(CDecoder *decoder);
// Decodes from `*input` into `*output` and moves both on.
CDecoderResult cdecoder_decode(
    CDecoder *decoder, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count);

// Forgets the input so far, so that another body can follow.
bool cdecoder_reset(CDecoder *decoder);
// Behind the end of a raw deflate stream, gets ready for more of it that may refer to what came before. False when memory
// is short.
bool cdecoder_continue(CDecoder *decoder);

// One gzip compression under way.
typedef struct CEncoder CEncoder;

typedef enum CEncoderResult {
    // All input is used up, or the output is full: call again with what is missing.
    CENCODER_MORE,
    // The compressed stream has ended.
    CENCODER_END,
    // It was called after its end.
    CENCODER_FAILED,
} CEncoderResult;

// NULL when memory is short.
CEncoder *cencoder_create(void);
// A raw deflate stream with a window of 2^window_bits bytes, 9 to 15, for `cencoder_flush`. NULL when memory is short.
CEncoder *cencoder_create_raw(int window_bits);
void cencoder_destroy(CEncoder *encoder);
// Encodes from `*input` into `*output` and moves both on. `is_last` says that nothing comes behind this input; from then
// on it is called with `is_last` until the end.
CEncoderResult cencoder_encode(
    CEncoder *encoder, const uint8_t **input, size_t *input_count, bool is_last, uint8_t **output,
    size_t *output_count);
// Encodes all of the input, and ends on a byte boundary with an empty stored block (Z_SYNC_FLUSH): called until the output
// has room left.
CEncoderResult cencoder_flush(
    CEncoder *encoder, const uint8_t **input, size_t *input_count, uint8_t **output, size_t *output_count);
// Forgets the input so far.
bool cencoder_reset(CEncoder *encoder);

#endif
