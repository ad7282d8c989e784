#ifndef NIGHTJAR_ZLIB_H
#define NIGHTJAR_ZLIB_H

#include <zlib.h>

/// inflateInit2 is a macro, which Swift does not see.
static inline int nightjar_inflate_begin(z_stream *stream, int window_bits) {
  return inflateInit2(stream, window_bits);
}

/// deflateInit2 is a macro, which Swift does not see.
static inline int nightjar_deflate_begin(z_stream *stream, int window_bits) {
  return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
}

#endif
