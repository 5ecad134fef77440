/// A snapshot of a version, and the columns and rows selected from it.
@NullMarked
package dev.quiver.store.read;

import org.jspecify.annotations.NullMarked;
