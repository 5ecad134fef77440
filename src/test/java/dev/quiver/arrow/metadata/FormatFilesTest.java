package dev.quiver.arrow.metadata;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.metadata.FormatFile.Member;
import dev.quiver.arrow.type.ArrowTypes;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.Endianness;
import dev.quiver.arrow.type.Feature;
import dev.quiver.arrow.type.IntervalUnit;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.arrow.type.UnionMode;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Tests that the code reads and writes the tables of `format/`: every slot, default, enum value
/// and union member.
///
/// `ArrowJavaFormatTest` tests `format/` against Arrow's own files.
class FormatFilesTest {

  private static FormatFile format;

  @BeforeAll
  static void readFiles() throws IOException {
    format =
        FormatFile.read(
            Path.of("format/Schema.fbs"),
            Path.of("format/Message.fbs"),
            Path.of("format/File.fbs"));
  }

  @Test
  void slotsMatchTheTables() throws IllegalAccessException {
    List<Slot> described = new ArrayList<>();
    for (String table : format.tables().keySet()) {
      described.addAll(format.slots(table));
    }
    List<Slot> used = new ArrayList<>();
    for (Field constant : VtableSlots.class.getDeclaredFields()) {
      if (constant.get(null) instanceof Slot slot) {
        used.add(slot);
        assertThat(constant.getName()).isEqualTo(constantCase(slot.name()));
      }
    }
    assertThat(used).hasSizeGreaterThan(50).containsExactlyInAnyOrderElementsOf(described);
  }

  @Test
  void tensorSlotsMatchTheTables() throws IOException, IllegalAccessException {
    FormatFile tensors =
        FormatFile.read(
            Path.of("format/Schema.fbs"),
            Path.of("format/Tensor.fbs"),
            Path.of("format/SparseTensor.fbs"));
    List<Slot> described = new ArrayList<>();
    for (String table : List.of("Tensor", "TensorDim", "SparseTensor")) {
      described.addAll(tensors.slots(table));
    }
    List<Slot> used = new ArrayList<>();
    for (Field constant : TensorSlots.class.getDeclaredFields()) {
      if (constant.get(null) instanceof Slot slot) {
        used.add(slot);
        assertThat(constant.getName()).isEqualTo(constantCase(slot.name()));
      }
    }
    assertThat(used).hasSize(8).isSubsetOf(described);
  }

  @Test
  void structLayoutsMatchTheFiles() throws ReflectiveOperationException {
    assertThat(format.structs()).containsOnlyKeys("Buffer", "FieldNode", "Block");
    for (Map.Entry<String, List<Member>> struct : format.structs().entrySet()) {
      int byteOffset = 0;
      int alignment = 1;
      for (Member member : struct.getValue()) {
        int byteSize = format.stored(member.type()).byteSize();
        byteOffset = Math.ceilDiv(byteOffset, byteSize) * byteSize;
        assertThat(constant(struct.getKey() + "." + member.name())).isEqualTo(byteOffset);
        byteOffset += byteSize;
        alignment = Math.max(alignment, byteSize);
      }
      assertThat(constant(struct.getKey() + ".byteSize"))
          .isEqualTo(Math.ceilDiv(byteOffset, alignment) * alignment);
    }
  }

  @Test
  void enumOrderMatchesTheFiles() {
    Map<String, Enum<?>[]> ours =
        Map.of(
            "Precision", Precision.values(),
            "DateUnit", DateUnit.values(),
            "TimeUnit", TimeUnit.values(),
            "IntervalUnit", IntervalUnit.values(),
            "UnionMode", UnionMode.values(),
            "Endianness", Endianness.values(),
            "Feature", Feature.values(),
            "CompressionType", CompressionType.values());
    ours.forEach((name, constants) -> assertThat(values(name)).isEqualTo(names(constants)));
    // The code supports only value 0 of these.
    assertThat(values("DictionaryKind")).containsExactly("DENSE_ARRAY");
    assertThat(values("BodyCompressionMethod")).containsExactly("BUFFER");
    assertThat(format.enums()).hasSize(ours.size() + 3);
  }

  @Test
  void versionCodesMatchTheFiles() {
    assertThat(values("MetadataVersion")).containsExactly("V1", "V2", "V3", "V4", "V5");
    for (MetadataVersion version : MetadataVersion.values()) {
      assertThat(values("MetadataVersion").indexOf(version.name()))
          .isEqualTo(VersionReader.code(version));
    }
  }

  @Test
  void unionOrderMatchesTheFiles() {
    assertThat(format.unions()).containsOnlyKeys("Type", "MessageHeader");
    assertThat(members("Type")).isEqualTo(names(TypeCode.values()));
    assertThat(members("MessageHeader")).isEqualTo(names(HeaderCode.values()));
  }

  @Test
  void typeCodesMatchTheirNames() {
    List<String> covered = new ArrayList<>();
    covered.add(TypeCode.NONE.name());
    for (dev.quiver.arrow.type.Field field : Samples.fields()) {
      String name = constantCase(field.type().getClass().getSimpleName());
      assertThat(TypeCode.of(field.type()).name()).isEqualTo(name);
      covered.add(name);
    }
    assertThat(covered).containsAll(names(TypeCode.values()));
    assertThat(ArrowTypes.all()).hasSize(TypeCode.values().length - 1);
  }

  private static List<String> values(String enumeration) {
    return requireNonNull(format.enums().get(enumeration)).values().stream()
        .map(FormatFilesTest::constantCase)
        .toList();
  }

  private static List<String> members(String union) {
    List<String> members = new ArrayList<>();
    members.add("NONE");
    requireNonNull(format.unions().get(union)).forEach(member -> members.add(constantCase(member)));
    return members;
  }

  private static List<String> names(Enum<?>[] constants) {
    return Arrays.stream(constants).map(Enum::name).toList();
  }

  private static Object constant(String name) throws ReflectiveOperationException {
    return VtableSlots.class.getDeclaredField(constantCase(name)).get(null);
  }

  /// Returns `MESSAGE_HEADER_TYPE` for `Message.header_type`, `STRUCT` for `Struct_`.
  private static String constantCase(String name) {
    return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_")
        .replace('.', '_')
        .replaceAll("_$", "")
        .toUpperCase(Locale.ROOT);
  }
}
