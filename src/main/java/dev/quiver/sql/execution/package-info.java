/// Statements that run in workers: the processes, their leases, their time, and the results that
/// they send.
@NullMarked
package dev.quiver.sql.execution;

import org.jspecify.annotations.NullMarked;
