/// Tables of characters for a terminal.
@NullMarked
package dev.quiver.arrow.terminal;

import org.jspecify.annotations.NullMarked;
