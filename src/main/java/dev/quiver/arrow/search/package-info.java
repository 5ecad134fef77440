/// A literal found in the texts of record batches, in any case of its letters.
@NullMarked
package dev.quiver.arrow.search;

import org.jspecify.annotations.NullMarked;
