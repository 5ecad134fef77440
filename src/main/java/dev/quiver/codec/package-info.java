/// Compression of buffers, from segment to segment, as LZ4 frames and Zstandard. Decoding of gzip
/// and Zstandard, from source to source, and of blocks of other formats, from array to array.
@NullMarked
package dev.quiver.codec;

import org.jspecify.annotations.NullMarked;
