/// The datasets and versions that exist: commits, lists, garbage collection, and the bytes of each
/// writer.
@NullMarked
package dev.quiver.store.catalog;

import org.jspecify.annotations.NullMarked;
