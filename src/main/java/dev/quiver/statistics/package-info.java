/// The null count, minimum and maximum of each leaf column of a record batch.
@NullMarked
package dev.quiver.statistics;

import org.jspecify.annotations.NullMarked;
