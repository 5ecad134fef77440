/// SQL over stored versions, on the service's side: worker processes, the syntax trees that they
/// parse, the versions that a statement reads, and the results.
///
/// The engine never runs in the process of the service. A statement is parsed by a worker; the
/// service inspects its syntax tree, opens the versions that it names, and has the same worker run
/// it.
@NullMarked
package dev.quiver.query;

import org.jspecify.annotations.NullMarked;
