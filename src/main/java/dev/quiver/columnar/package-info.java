/// The columnar format as Java types. [dev.quiver.columnar.Layout] is the one table of physical
/// layouts.
@NullMarked
package dev.quiver.columnar;

import org.jspecify.annotations.NullMarked;
