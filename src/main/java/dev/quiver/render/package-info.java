/// Record batches as text: JSON, JSON lines, CSV and TSV. The entry point is
/// [dev.quiver.render.Renderer].
@NullMarked
package dev.quiver.render;

import org.jspecify.annotations.NullMarked;
