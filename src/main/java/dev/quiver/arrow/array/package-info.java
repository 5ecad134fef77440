/// Arrays and record batches in memory: their slices, their concatenation, slots taken from them,
/// and builders.
@NullMarked
package dev.quiver.arrow.array;

import org.jspecify.annotations.NullMarked;
