/// SQL over record batches: one hardened instance of DuckDB, its sessions and statements.
///
/// An [dev.quiver.sql.engine.Engine] has sessions, and a [dev.quiver.sql.engine.Session] prepares
/// one statement at a time. Its tables are given with it, by exact names, and nothing else can be
/// read: files, settings and other statements' tables are out of reach. Only SELECT is accepted. An
/// engine that is given a folder reads its files as well, and accepts COPY to write them.
///
/// Neither the memory nor the time of a statement has a hard limit. So this package runs in worker
/// processes, which can be killed, and under [dev.quiver.sql.engine.Landlock].
///
/// * A [dev.quiver.sql.engine.Table] is read batch by batch, by several threads, and only the
///   columns that the statement uses. Numbers are copied into the engine's vectors; long text and
///   binary values are passed by their address if [dev.quiver.sql.engine.TableBatch#outlivesClose].
/// * A column of a type that DuckDB lacks is an error only if it is used.
/// * Unless the statement orders its rows, they keep the order of the table.
/// * Results are copied into batches of the caller's memory.
/// * Positions in errors and syntax trees count bytes of UTF-8.
@NullMarked
package dev.quiver.sql.engine;

import org.jspecify.annotations.NullMarked;
