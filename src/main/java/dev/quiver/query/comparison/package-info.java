/// Comparisons of a column with literals in a syntax tree of the engine, as predicates that select
/// exactly the rows that the engine would.
///
/// A literal is converted to the type of its column only where the result of the comparison is sure
/// to stay the same. [dev.quiver.query.comparison.Conjuncts] leaves everything else to the engine.
@NullMarked
package dev.quiver.query.comparison;

import org.jspecify.annotations.NullMarked;
