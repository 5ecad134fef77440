/// Controllers of one dataset: writes of its data, and reads, whole, in batches and in partitions;
/// its schema, its versions and events about them.
@NullMarked
package dev.quiver.web.dataset;

import org.jspecify.annotations.NullMarked;
