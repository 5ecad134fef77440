/// The formats of data, and what foreign ones share: options, column types and errors.
@NullMarked
package dev.quiver.formats;

import org.jspecify.annotations.NullMarked;
