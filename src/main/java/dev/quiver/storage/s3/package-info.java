/// Blobs as objects of one bucket, and their cache on the local disk.
@NullMarked
package dev.quiver.storage.s3;

import org.jspecify.annotations.NullMarked;
