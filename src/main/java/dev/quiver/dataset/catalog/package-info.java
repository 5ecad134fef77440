/// Manifests, and with them the existing versions, commits, retention and garbage collection.
@NullMarked
package dev.quiver.dataset.catalog;

import org.jspecify.annotations.NullMarked;
