/// LZ4 and Zstandard from segment to segment, and content codings from source to source.
@NullMarked
package dev.quiver.arrow.codec;

import org.jspecify.annotations.NullMarked;
