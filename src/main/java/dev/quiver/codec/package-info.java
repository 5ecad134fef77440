/// Compression of buffers: LZ4 frames and Zstandard, from segment to segment. Decompression of what
/// arrives: gzip and Zstandard, from source to source.
@NullMarked
package dev.quiver.codec;

import org.jspecify.annotations.NullMarked;
