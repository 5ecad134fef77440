/// Named, versioned datasets: uploads become versions, versions are read as snapshots.
@NullMarked
package dev.quiver.dataset;

import org.jspecify.annotations.NullMarked;
