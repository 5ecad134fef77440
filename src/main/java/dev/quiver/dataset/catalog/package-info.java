/// The existing versions, and with them commits, retention and garbage collection.
@NullMarked
package dev.quiver.dataset.catalog;

import org.jspecify.annotations.NullMarked;
