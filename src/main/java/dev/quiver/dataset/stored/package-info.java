/// The bytes of a stored version, and the index of its messages.
@NullMarked
package dev.quiver.dataset.stored;

import org.jspecify.annotations.NullMarked;
