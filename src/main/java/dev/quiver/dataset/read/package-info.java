/// A snapshot of a version, and a selection of its columns and rows.
@NullMarked
package dev.quiver.dataset.read;

import org.jspecify.annotations.NullMarked;
