/// The stored form of a version: the keys of its blobs, its manifest, and the sidecars of its data.
@NullMarked
package dev.quiver.dataset.manifest;

import org.jspecify.annotations.NullMarked;
