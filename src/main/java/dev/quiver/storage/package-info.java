/// Named immutable blobs with range reads, in a folder or on S3.
@NullMarked
package dev.quiver.storage;

import org.jspecify.annotations.NullMarked;
