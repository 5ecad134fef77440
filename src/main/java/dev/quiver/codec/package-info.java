/// Compression of buffers: LZ4 frames and Zstandard, from segment to segment.
@NullMarked
package dev.quiver.codec;

import org.jspecify.annotations.NullMarked;
