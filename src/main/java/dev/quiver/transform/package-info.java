/// Record batches made into others: of fewer columns or rows, larger or smaller, in another codec,
/// or with other dictionaries for the same values.
@NullMarked
package dev.quiver.transform;

import org.jspecify.annotations.NullMarked;
