/// The columns of a Parquet file as Arrow's fields: how groups nest
/// ([dev.quiver.foreign.parquet.read.schema.ColumnTree]), and which type the values of a leaf
/// become ([dev.quiver.foreign.parquet.read.schema.LeafType]).
@NullMarked
package dev.quiver.foreign.parquet.read.schema;

import org.jspecify.annotations.NullMarked;
