/// The columnar format as Java types. [dev.quiver.columnar.Layout] is the only table of physical
/// layouts.
@NullMarked
package dev.quiver.columnar;

import org.jspecify.annotations.NullMarked;
