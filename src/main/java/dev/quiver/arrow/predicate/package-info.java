/// Comparisons of columns with literals, evaluated over arrays and against statistics.
@NullMarked
package dev.quiver.arrow.predicate;

import org.jspecify.annotations.NullMarked;
