package dev.quiver.arrow.metadata;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A FlatBuffers schema file, in the subset of the language that `format/` uses. Anything else is
/// rejected.
///
/// @param enums the values of each enum, in order
/// @param unions the members of each union, in order
record FormatFile(
    Map<String, List<Member>> tables,
    Map<String, List<Member>> structs,
    Map<String, Enumeration> enums,
    Map<String, List<String>> unions) {

  /// A field of a table or struct.
  record Member(String name, String type, @Nullable String defaultValue, boolean required) {}

  record Enumeration(String type, List<String> values) {}

  private static final Pattern DECLARATION =
      Pattern.compile(
          "\\s*(?:(?<kind>table|struct|enum|union)\\s+(?<name>\\w+)\\s*(?::\\s*(?<type>\\w+)\\s*)?"
              + "\\{(?<body>[^{}]*)\\}|(?:namespace|root_type|include)\\s+[\\w.\"]+;)\\s*");
  private static final Pattern MEMBER =
      Pattern.compile(
          "(?<name>\\w+)\\s*:\\s*(?<type>\\w+|\\[\\w+\\])\\s*(?:=\\s*(?<default>\\w+))?\\s*"
              + "(?<required>\\(required\\))?");
  private static final Pattern VALUE = Pattern.compile("(?<name>\\w+)(?:\\s*=\\s*(?<code>\\d+))?");

  static FormatFile read(Path... paths) throws IOException {
    FormatFile file =
        new FormatFile(
            new LinkedHashMap<>(),
            new LinkedHashMap<>(),
            new LinkedHashMap<>(),
            new LinkedHashMap<>());
    for (Path path : paths) {
      file.parse(Files.readString(path).replaceAll("//.*", ""));
    }
    return file;
  }

  private void parse(String text) {
    Matcher declaration = DECLARATION.matcher(text);
    while (!declaration.hitEnd()) {
      if (!declaration.lookingAt()) {
        throw new IllegalArgumentException(
            "Expected a declaration but found "
                + text.substring(declaration.regionStart()).strip());
      }
      String kind = declaration.group("kind");
      if (kind != null) {
        declare(
            kind, declaration.group("name"), declaration.group("type"), declaration.group("body"));
      }
      declaration.region(declaration.end(), text.length());
    }
  }

  private void declare(String kind, String name, @Nullable String type, String body) {
    switch (kind) {
      case "table" -> tables.put(name, members(body));
      case "struct" -> structs.put(name, members(body));
      case "enum" -> {
        if (type == null) {
          throw new IllegalArgumentException("Expected a type of enum " + name + " but found none");
        }
        enums.put(name, new Enumeration(type, values(body)));
      }
      case "union" -> unions.put(name, values(body));
      default -> throw new IllegalArgumentException(kind);
    }
  }

  private static List<Member> members(String body) {
    List<Member> members = new ArrayList<>();
    for (String text : split(body, ";")) {
      Matcher member = matched(MEMBER, text);
      members.add(
          new Member(
              member.group("name"),
              member.group("type"),
              member.group("default"),
              member.group("required") != null));
    }
    return members;
  }

  private static List<String> values(String body) {
    List<String> values = new ArrayList<>();
    for (String text : split(body, ",")) {
      Matcher value = matched(VALUE, text);
      if (value.group("code") != null && Integer.parseInt(value.group("code")) != values.size()) {
        throw new IllegalArgumentException("Expected values numbered from 0 but found " + text);
      }
      values.add(value.group("name"));
    }
    return values;
  }

  private static List<String> split(String body, String separator) {
    List<String> parts = new ArrayList<>();
    for (String part : body.split(separator)) {
      if (!part.isBlank()) {
        parts.add(part.strip());
      }
    }
    return parts;
  }

  private static Matcher matched(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("Expected a member or value but found " + text);
    }
    return matcher;
  }

  /// Returns the inline type of a member of this type.
  Slot.Type stored(String type) {
    Enumeration enumeration = enums.get(type);
    return switch (enumeration == null ? type : enumeration.type()) {
      case "bool" -> Slot.Type.BOOL;
      case "byte" -> Slot.Type.INT8;
      case "short" -> Slot.Type.INT16;
      case "int" -> Slot.Type.INT32;
      case "long" -> Slot.Type.INT64;
      default -> {
        if (!type.startsWith("[") && !type.equals("string") && !tables.containsKey(type)) {
          throw new IllegalArgumentException("Unknown type: " + type);
        }
        yield Slot.Type.OFFSET;
      }
    };
  }

  /// Returns the value of an absent member: 0 unless declared otherwise.
  long absent(Member member) {
    String value = member.defaultValue();
    if (value == null || value.equals("false")) {
      return 0;
    }
    Enumeration enumeration = enums.get(member.type());
    return enumeration == null ? Long.parseLong(value) : enumeration.values().indexOf(value);
  }

  /// Returns the slots of a table. A member of a union type takes two, the first for the code.
  List<Slot> slots(String table) {
    List<Slot> slots = new ArrayList<>();
    for (Member member : tables.getOrDefault(table, List.of())) {
      String name = table + "." + member.name();
      if (unions.containsKey(member.type())) {
        slots.add(new Slot(name + "_type", slots.size(), Slot.Type.UINT8));
        slots.add(new Slot(name, slots.size(), Slot.Type.OFFSET));
      } else if (structs.containsKey(member.type())) {
        // Structs are inline. Only tables that Quiver does not read contain any.
        slots.add(new Slot(name, slots.size(), Slot.Type.OFFSET));
      } else {
        slots.add(new Slot(name, slots.size(), stored(member.type()), absent(member)));
      }
    }
    return slots;
  }
}
