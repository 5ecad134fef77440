/// Arrow arrays as DuckDB's vectors: [dev.quiver.engine.scan.ColumnTypes] declares the type of a
/// column, and a [dev.quiver.engine.scan.VectorFiller] copies slots of an array into vectors.
///
/// | Arrow | DuckDB |
/// | --- | --- |
/// | null, bool, `arrow.bool8`, integers, float32, float64 | the same |
/// | float16 | FLOAT |
/// | decimals of up to 38 digits and a scale of 0 or more | DECIMAL |
/// | text; `arrow.json` | VARCHAR; JSON |
/// | binary of all layouts; `arrow.uuid` | BLOB; UUID |
/// | date32, and date64 of whole days | DATE |
/// | time32, time64 | TIME, TIME_NS |
/// | timestamps | TIMESTAMP_S, TIMESTAMP_MS, TIMESTAMP, TIMESTAMP_NS |
/// | timestamps with a zone | TIMESTAMPTZ, TIMESTAMPTZ_NS |
/// | durations and intervals of whole microseconds | INTERVAL |
/// | lists of all layouts; fixed-size lists | LIST; ARRAY |
/// | structs, maps, unions | STRUCT, MAP, UNION |
/// | dictionary-encoded, run-end-encoded | the type of the values |
///
/// Other types are rejected by name when they are used, and other values when they are read.
@NullMarked
package dev.quiver.engine.scan;

import org.jspecify.annotations.NullMarked;
