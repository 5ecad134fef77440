/// DuckDB's vectors from and to Arrow arrays.
///
/// Arrow arrays as DuckDB's vectors: [dev.quiver.sql.vector.ColumnTypes] declares the type of a
/// column, and a [dev.quiver.sql.vector.VectorFiller] copies slots of an array into vectors.
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
/// | timestamps with a zone | TIMESTAMPTZ; TIMESTAMPTZ_NS if not known to be whole microseconds |
/// | durations and intervals of whole microseconds | INTERVAL |
/// | lists of all layouts; fixed-size lists | LIST; ARRAY |
/// | structs, maps, unions | STRUCT, MAP, UNION |
/// | dictionary-encoded, run-end-encoded | the type of the values |
///
/// Other types are rejected by name when they are used, and other values when they are read.
///
/// DuckDB's vectors as Arrow arrays: [dev.quiver.sql.vector.ResultTypes] chooses the field of a
/// column, and a [dev.quiver.sql.vector.ColumnBuilder] appends rows of vectors to buffers.
///
/// | DuckDB | Arrow |
/// | --- | --- |
/// | BOOLEAN, integers, FLOAT, DOUBLE | the same |
/// | HUGEINT, UHUGEINT | decimal128(38, 0) |
/// | DECIMAL | decimal128 |
/// | VARCHAR; JSON | utf8; utf8 with the extension `arrow.json` |
/// | BLOB | binary |
/// | UUID | `fixed_size_binary[16]` with the extension `arrow.uuid` |
/// | ENUM | dictionary of utf8 |
/// | DATE, TIME, TIME_NS | date32, `time64[us]`, `time64[ns]` |
/// | TIMESTAMP_S, TIMESTAMP_MS, TIMESTAMP, TIMESTAMP_NS | timestamps without a zone |
/// | TIMESTAMPTZ, TIMESTAMPTZ_NS | timestamps in UTC |
/// | INTERVAL | `interval[month_day_nano]` |
/// | LIST, ARRAY, STRUCT, MAP | list, fixed_size_list, struct, map |
/// | UNION | sparse union |
///
/// Other types are rejected by name, with a type to cast to. Values of null rows are zero: the
/// engine's memory there has whatever it had before.
@NullMarked
package dev.quiver.sql.vector;

import org.jspecify.annotations.NullMarked;
