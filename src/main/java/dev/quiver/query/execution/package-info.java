/// Statements that run in worker processes: their processes, their time, and the results that they
/// send.
@NullMarked
package dev.quiver.query.execution;

import org.jspecify.annotations.NullMarked;
