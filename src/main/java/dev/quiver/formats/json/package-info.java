/// JSON as record batches: the shape of its objects, then their values, block by block.
@NullMarked
package dev.quiver.formats.json;

import org.jspecify.annotations.NullMarked;
