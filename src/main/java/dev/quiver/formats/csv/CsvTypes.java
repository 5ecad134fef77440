package dev.quiver.formats.csv;

import dev.quiver.formats.ColumnType;
import dev.quiver.formats.ColumnType.Kind;
import dev.quiver.formats.value.KindTypes;
import dev.quiver.formats.value.TextKind;
import dev.quiver.formats.value.ValueKinds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The types of the columns of a file.
///
/// @param types by the index of the column
/// @param warnings sentences about columns that are text because of some of their values
record CsvTypes(List<ColumnType> types, List<String> warnings) {

  CsvTypes {
    types = List.copyOf(types);
    warnings = List.copyOf(warnings);
  }

  /// Returns the types of the options for the columns that they name, and types that hold all
  /// values of the sample for others.
  ///
  /// @param sample of each column
  static CsvTypes of(List<String> names, CsvOptions options, List<ValueKinds> sample) {
    boolean iso = options.dateFormat() == null && options.timestampFormat() == null;
    List<ColumnType> types = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      Map<TextKind, ValueKinds.Values> values = sample.get(i).values();
      ColumnType stated = options.types().get(name);
      ColumnType type = stated == null ? KindTypes.of(values.keySet(), iso) : stated;
      types.add(type);
      if (stated == null && type.kind() == Kind.TEXT) {
        KindTypes.Misfit misfit = KindTypes.misfit(values, iso);
        if (misfit != null) {
          warnings.add(misfit.sentence(name));
        }
      }
    }
    return new CsvTypes(types, warnings);
  }
}
