/// The pages of a column chunk: decompression, levels and values of every encoding, a block at a
/// time.
///
/// Sizes and counts are checked where they are read. A read beyond the array of a page is an
/// [IndexOutOfBoundsException], which the caller reports as a damaged file. The room after a page
/// is zero or has other bytes of the same file.
@NullMarked
package dev.quiver.formats.parquet.page;

import org.jspecify.annotations.NullMarked;
