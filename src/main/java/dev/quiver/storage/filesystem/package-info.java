/// Blobs as files of one folder.
@NullMarked
package dev.quiver.storage.filesystem;

import org.jspecify.annotations.NullMarked;
