/// Manifests: the versions that exist, commits, retention and garbage collection.
@NullMarked
package dev.quiver.dataset.catalog;

import org.jspecify.annotations.NullMarked;
