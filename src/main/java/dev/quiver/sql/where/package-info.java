/// Comparisons with literals in syntax trees, as predicates that select exactly the rows that the
/// engine would.
///
/// A literal is converted to the type of its column only where the result of the comparison is sure
/// to stay the same. [dev.quiver.sql.where.Conjuncts] leaves everything else to the engine.
@NullMarked
package dev.quiver.sql.where;

import org.jspecify.annotations.NullMarked;
