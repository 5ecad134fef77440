package dev.quiver.sql.execution;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.formats.parquet.PageLimits;

/// The options of statements.
///
/// @param pool the workers of statements and conditions
/// @param uploadPool the workers of statements whose results are stored
/// @param filePool the workers that read and write files of other formats
/// @param pages of the heap that one Parquet file takes at a time while it is read
/// @param workbook bytes to which the parts of one workbook inflate
/// @param result bytes of one result as an IPC stream
/// @param text bytes of a statement as UTF-8
/// @param datasets datasets that one statement reads
/// @param catalog datasets and columns in the lists of datasets of one statement
/// @param conditionTimeout milliseconds that the evaluation of a condition may take
/// @param conditionMemory bytes of the matches of one condition
/// @param spooled bytes of all files that wait in the spool folder
public record SqlOptions(
    WorkerPoolOptions pool,
    WorkerPoolOptions uploadPool,
    WorkerPoolOptions filePool,
    PageLimits pages,
    Limit workbook,
    Limit result,
    Limit text,
    Limit datasets,
    Limit catalog,
    Limit conditionTimeout,
    Limit conditionMemory,
    Limit spooled) {}
