/// Transformations of record batches: to fewer columns or rows, to larger or smaller batches, to
/// another codec, or to other dictionaries for the same values.
@NullMarked
package dev.quiver.transform;

import org.jspecify.annotations.NullMarked;
