/// Conditions on the rows of record batches: evaluated over arrays, and against statistics.
@NullMarked
package dev.quiver.predicate;

import org.jspecify.annotations.NullMarked;
