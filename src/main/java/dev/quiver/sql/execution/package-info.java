/// Statements that run in workers: the processes, their leases and their time.
@NullMarked
package dev.quiver.sql.execution;

import org.jspecify.annotations.NullMarked;
