/// Work that several processors share.
@NullMarked
package dev.quiver.parallel;

import org.jspecify.annotations.NullMarked;
