/// Immutable named blobs with range reads, listing and atomic puts.
@NullMarked
package dev.quiver.store.blob;

import org.jspecify.annotations.NullMarked;
