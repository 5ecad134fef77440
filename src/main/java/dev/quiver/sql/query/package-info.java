/// Statements, conditions and statistics on the side of the service: the versions that they read,
/// and files of other formats in and out.
///
/// The engine never runs in the process of the service. A statement is parsed by a worker; the
/// service inspects its syntax tree, opens the versions that it names, and has the same worker run
/// it.
@NullMarked
package dev.quiver.sql.query;

import org.jspecify.annotations.NullMarked;
