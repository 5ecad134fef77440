/// JSON as statements of the engine: the columns of a file, and its errors as sentences.
@NullMarked
package dev.quiver.formats.json;

import org.jspecify.annotations.NullMarked;
