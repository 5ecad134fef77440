/// LZ4 and Zstandard from segment to segment, content codings from source to source, and hashes.
@NullMarked
package dev.quiver.arrow.codec;

import org.jspecify.annotations.NullMarked;
