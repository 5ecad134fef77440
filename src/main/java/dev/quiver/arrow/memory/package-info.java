/// Bytes and their limits: little-endian access, bitmaps, sources and sinks, and the errors that
/// name a place in the input.
@NullMarked
package dev.quiver.arrow.memory;

import org.jspecify.annotations.NullMarked;
