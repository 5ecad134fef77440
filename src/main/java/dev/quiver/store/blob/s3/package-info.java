/// Blobs as objects of a bucket, with a cache on the local disk.
@NullMarked
package dev.quiver.store.blob.s3;

import org.jspecify.annotations.NullMarked;
