/// Arrays of one type as arrays of another that holds the same values, exactly.
///
/// Formats such as Parquet know fewer types than Arrow, and keep the schema of the data beside it.
/// A cast gives data that was read from them the types of that schema again. Nothing is rounded: a
/// value without an equal one in the type is an [dev.quiver.cast.InvalidCastException].
@NullMarked
package dev.quiver.cast;

import org.jspecify.annotations.NullMarked;
