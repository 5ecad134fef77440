/// A sheet of a workbook as text, which `formats.csv` reads, and the types of its cells.
@NullMarked
package dev.quiver.formats.excel;

import org.jspecify.annotations.NullMarked;
