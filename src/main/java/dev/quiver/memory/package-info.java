/// Bytes: little-endian access, bitmaps, padding, sources and sinks, pooled and scratch memory, the
/// LRU cache.
@NullMarked
package dev.quiver.memory;

import org.jspecify.annotations.NullMarked;
