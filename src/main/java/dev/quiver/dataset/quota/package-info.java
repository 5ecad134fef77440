/// The bytes that the blobs of each writer take in the store.
@NullMarked
package dev.quiver.dataset.quota;

import org.jspecify.annotations.NullMarked;
