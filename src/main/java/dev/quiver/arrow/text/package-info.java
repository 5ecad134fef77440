/// Record batches as JSON, JSON lines, CSV and TSV.
@NullMarked
package dev.quiver.arrow.text;

import org.jspecify.annotations.NullMarked;
