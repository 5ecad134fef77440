/// A snapshot of a version, and the columns and rows that are selected of it.
@NullMarked
package dev.quiver.dataset.read;

import org.jspecify.annotations.NullMarked;
