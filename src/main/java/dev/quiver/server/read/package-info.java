/// Reads of a dataset: its rows whole, in batches and in partitions, its schema, statistics,
/// versions and page.
@NullMarked
package dev.quiver.server.read;

import org.jspecify.annotations.NullMarked;
