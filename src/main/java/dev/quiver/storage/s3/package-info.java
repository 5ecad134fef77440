/// Blobs as objects of one bucket, and the part of them that is kept on the local disk.
@NullMarked
package dev.quiver.storage.s3;

import org.jspecify.annotations.NullMarked;
