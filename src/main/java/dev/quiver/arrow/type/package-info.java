/// The types of Arrow: schemas, fields, logical types with their parameters, and the physical
/// layout of each.
@NullMarked
package dev.quiver.arrow.type;

import org.jspecify.annotations.NullMarked;
