/// Quiver: stores and serves Apache Arrow data over plain HTTP.
@NullMarked
package dev.quiver;

import org.jspecify.annotations.NullMarked;
