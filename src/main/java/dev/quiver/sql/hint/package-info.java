/// Hints about statements that were rejected, by their tokens and the messages of the engine.
@NullMarked
package dev.quiver.sql.hint;

import org.jspecify.annotations.NullMarked;
