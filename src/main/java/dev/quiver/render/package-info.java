/// Record batches as text: JSON, JSON lines and CSV. [dev.quiver.render.Renderer] is where to
/// start.
@NullMarked
package dev.quiver.render;

import org.jspecify.annotations.NullMarked;
