/// Tests of the reader and the writer against files of other implementations and against Arrow
/// Java.
@NullMarked
package dev.quiver.golden;

import org.jspecify.annotations.NullMarked;
