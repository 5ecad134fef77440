/// Compression of buffers, from segment to segment, as LZ4 frames and Zstandard. Decoding of gzip
/// and Zstandard, from source to source.
@NullMarked
package dev.quiver.codec;

import org.jspecify.annotations.NullMarked;
