/// Statistics of whole columns: their extremes, their distinct and most frequent values, and
/// histograms of them.
@NullMarked
package dev.quiver.profile;

import org.jspecify.annotations.NullMarked;
