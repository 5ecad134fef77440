/// Statements that run in workers: their processes and a spare one, their leases and their time.
@NullMarked
package dev.quiver.sql.execution;

import org.jspecify.annotations.NullMarked;
