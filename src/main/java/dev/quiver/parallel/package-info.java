/// Work and results that threads share, and their turns.
@NullMarked
package dev.quiver.parallel;

import org.jspecify.annotations.NullMarked;
