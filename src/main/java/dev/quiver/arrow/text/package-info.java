/// Record batches as JSON, JSON lines, CSV, TSV and workbooks of Excel.
@NullMarked
package dev.quiver.arrow.text;

import org.jspecify.annotations.NullMarked;
