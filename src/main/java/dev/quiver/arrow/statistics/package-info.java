/// Statistics of record batches and of whole columns: extremes, nulls, distinct and frequent
/// values, histograms.
@NullMarked
package dev.quiver.arrow.statistics;

import org.jspecify.annotations.NullMarked;
