/// Record batches in another form: projected, sliced, split, cast to the types of a dataset, with
/// unified or reduced dictionaries.
///
/// Formats such as Parquet know fewer types than Arrow, and keep the schema of the data beside it.
/// A cast gives data that was read from them the types of that schema again. Nothing is rounded: a
/// value without an equal one in the type is an [dev.quiver.arrow.transform.InvalidCastException].
@NullMarked
package dev.quiver.arrow.transform;

import org.jspecify.annotations.NullMarked;
