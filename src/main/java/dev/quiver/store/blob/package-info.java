/// Immutable named blobs with range reads, listing and atomic puts, and checksums of their bytes.
@NullMarked
package dev.quiver.store.blob;

import org.jspecify.annotations.NullMarked;
