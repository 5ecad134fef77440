/// The pages of a column: decoders of levels, dictionaries and values, for blocks of at most
/// [dev.quiver.foreign.parquet.page.Block#SLOTS_MAXIMUM] slots.
///
/// Sizes and counts are checked where they are read. A read beyond the array of a page is an
/// [IndexOutOfBoundsException], which the caller reports as a damaged file. The room after a page
/// is zero or has other bytes of the same file.
@NullMarked
package dev.quiver.foreign.parquet.page;

import org.jspecify.annotations.NullMarked;
