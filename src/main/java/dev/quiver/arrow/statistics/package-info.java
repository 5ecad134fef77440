/// Statistics of record batches and of whole columns: extremes, nulls, means, quartiles, distinct
/// and frequent values, histograms. Comparisons with literals, evaluated over arrays and against
/// statistics.
@NullMarked
package dev.quiver.arrow.statistics;

import org.jspecify.annotations.NullMarked;
