package dev.quiver.arrow.validate;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.FieldPath;
import dev.quiver.arrow.type.Schema;
import java.time.ZoneId;
import java.util.Set;
import java.util.regex.Pattern;

/// The rules of [Level#DOMAIN] that fields alone can break, including fields of dictionary values.
final class SchemaRules {

  private static final Pattern OFFSET = Pattern.compile("[+-](0\\d|1\\d|2[0-3]):[0-5]\\d");

  private static final Set<String> ZONES = ZoneId.getAvailableZoneIds();

  /// Zones of the tz database that Java lacks.
  private static final Set<String> MORE_ZONES =
      Set.of("EST", "Factory", "GMT+0", "GMT-0", "HST", "MST", "ROC");

  private final Findings findings;

  SchemaRules(Findings findings) {
    this.findings = findings;
  }

  void check(Schema schema) {
    for (Field field : schema.fields()) {
      check(field, FieldPath.of(field));
    }
  }

  private void check(Field field, FieldPath path) {
    if (findings.isFull()) {
      return;
    }
    new ExtensionRules(findings).check(field, path);
    if (field.type() instanceof ArrowType.Timestamp(_, String timezone)
        && timezone != null
        && !timezone.isEmpty()) {
      checkTimezone(timezone, path);
    } else if (field.type() instanceof ArrowType.Map && field.children().size() == 1) {
      checkMap(field.children().getFirst(), path);
    } else if (field.type() instanceof ArrowType.RunEndEncoded && !field.children().isEmpty()) {
      requireNotNullable(field.children().getFirst(), path);
    }
    for (Field child : field.children()) {
      check(child, path.child(child));
    }
  }

  private void checkTimezone(String timezone, FieldPath path) {
    boolean known =
        ZONES.contains(timezone)
            || MORE_ZONES.contains(timezone)
            || OFFSET.matcher(timezone).matches();
    if (!known) {
      findings.add(
          Rule.TIMEZONE,
          path,
          "a time zone of the tz database, or an offset such as +01:00,",
          "\"" + Findings.excerpt(timezone) + "\"",
          "Timestamp.timezone");
    }
  }

  private void checkMap(Field entries, FieldPath path) {
    requireNotNullable(entries, path);
    if (!entries.children().isEmpty()) {
      requireNotNullable(entries.children().getFirst(), path.child(entries));
    }
  }

  private void requireNotNullable(Field child, FieldPath path) {
    if (child.nullable()) {
      findings.add(
          Rule.CHILD_NULLABLE,
          path.child(child),
          "a non-nullable field",
          "a nullable one",
          "Field.nullable");
    }
  }
}
