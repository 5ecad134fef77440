/// Immutable named blobs with range reads, listing and atomic puts, and checksums of their bytes;
/// the spool, for files that wait for clients or workers.
@NullMarked
package dev.quiver.store.blob;

import org.jspecify.annotations.NullMarked;
