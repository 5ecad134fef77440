/// Statements that run in workers: the processes, their leases, their time, the spool, and the
/// files that are kept for later requests.
@NullMarked
package dev.quiver.sql.execution;

import org.jspecify.annotations.NullMarked;
