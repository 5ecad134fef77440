/// Work shared by several processors.
@NullMarked
package dev.quiver.parallel;

import org.jspecify.annotations.NullMarked;
