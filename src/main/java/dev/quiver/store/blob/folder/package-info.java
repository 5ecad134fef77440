/// Blobs as files of a folder.
@NullMarked
package dev.quiver.store.blob.folder;

import org.jspecify.annotations.NullMarked;
