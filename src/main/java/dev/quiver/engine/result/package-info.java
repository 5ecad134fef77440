/// DuckDB's vectors as Arrow arrays: [dev.quiver.engine.result.ResultTypes] chooses the field of a
/// column, and a [dev.quiver.engine.result.ColumnBuilder] appends rows of vectors to buffers.
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
package dev.quiver.engine.result;

import org.jspecify.annotations.NullMarked;
