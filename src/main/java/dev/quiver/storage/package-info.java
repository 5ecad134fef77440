/// Named immutable blobs with range reads, and the folder that holds them.
@NullMarked
package dev.quiver.storage;

import org.jspecify.annotations.NullMarked;
