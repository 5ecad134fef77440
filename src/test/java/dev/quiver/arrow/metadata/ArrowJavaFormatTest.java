package dev.quiver.arrow.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.flatbuffers.FlatBufferBuilder;
import dev.quiver.arrow.metadata.FormatFile.Enumeration;
import dev.quiver.arrow.metadata.FormatFile.Member;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests that `format/` matches Arrow's metadata. The classes that Arrow Java generates from the
/// originals must have the same tables, slots, widths, defaults, structs, enums and unions.
///
/// `FormatFilesTest` tests our code against `format/`.
@Tag("arrow-java")
class ArrowJavaFormatTest {

  private static FormatFile format;

  @BeforeAll
  static void readFiles() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("format"))) {
      format =
          FormatFile.read(
              files.filter(file -> file.toString().endsWith(".fbs")).toArray(Path[]::new));
    }
  }

  @Test
  void formatFilesListEveryGeneratedClass() {
    assertThat(format.tables()).hasSize(41);
    assertThat(format.structs()).containsOnlyKeys("Buffer", "FieldNode", "Block");
    assertThat(format.enums()).hasSize(12);
    assertThat(format.unions()).containsOnlyKeys("Type", "MessageHeader", "SparseTensorIndex");
  }

  @Test
  void tablesHaveTheGeneratedSlots() throws ReflectiveOperationException {
    for (String table : format.tables().keySet()) {
      List<Slot> generated = new ArrayList<>();
      for (Slot slot : format.slots(table)) {
        Slot added = add(table, slot);
        // The generated code adds signed and unsigned bytes in the same way.
        generated.add(
            added.type() == Slot.Type.INT8 && slot.type() == Slot.Type.UINT8
                ? new Slot(added.name(), added.index(), Slot.Type.UINT8, added.defaultValue())
                : added);
      }
      assertThat(generated).isEqualTo(format.slots(table)).hasSize(fieldCount(table));
    }
  }

  @Test
  void requiredFieldsMatchTheGeneratedOnes() throws ReflectiveOperationException {
    for (Map.Entry<String, List<Member>> table : format.tables().entrySet()) {
      List<String> required =
          table.getValue().stream()
              .filter(Member::required)
              .map(member -> table.getKey() + "." + member.name())
              .toList();
      Recorder recorder = new Recorder();
      call(table.getKey(), "end" + table.getKey(), recorder);
      assertThat(
              recorder.required.stream()
                  .map(index -> format.slots(table.getKey()).get(index).name()))
          .containsExactlyInAnyOrderElementsOf(required);
    }
  }

  @Test
  void structsHaveTheGeneratedLayout() throws ReflectiveOperationException {
    for (Map.Entry<String, List<Member>> struct : format.structs().entrySet()) {
      List<String> described = new ArrayList<>();
      int byteOffset = 0;
      for (int i = 0; i < struct.getValue().size(); i++) {
        int byteSize = format.stored(struct.getValue().get(i).type()).byteSize();
        int padding = Math.ceilDiv(byteOffset, byteSize) * byteSize - byteOffset;
        if (padding > 0) {
          described.add(padding + " bytes of padding");
        }
        described.add(byteSize + " bytes of number " + (i + 1));
        byteOffset += padding + byteSize;
      }
      Recorder recorder = new Recorder();
      Object[] numbers = struct.getValue().stream().map(struct.getValue()::indexOf).toArray();
      call(struct.getKey(), "create" + struct.getKey(), recorder, numbers);
      assertThat(recorder.written.reversed()).as(struct.getKey()).isEqualTo(described);
    }
  }

  @Test
  void enumsAndUnionsHaveTheGeneratedValues() throws ReflectiveOperationException {
    for (Map.Entry<String, Enumeration> entry : format.enums().entrySet()) {
      assertConstants(entry.getKey(), entry.getValue().values());
    }
    for (Map.Entry<String, List<String>> entry : format.unions().entrySet()) {
      List<String> members = new ArrayList<>();
      members.add("NONE");
      members.addAll(entry.getValue());
      assertConstants(entry.getKey(), members);
    }
  }

  private static void assertConstants(String name, List<String> values)
      throws ReflectiveOperationException {
    List<String> generated = new ArrayList<>(values);
    for (java.lang.reflect.Field constant : generated(name).getFields()) {
      if (constant.getType().isPrimitive()) {
        generated.set(((Number) constant.get(null)).intValue(), constant.getName());
      }
    }
    assertThat(generated).as(name).isEqualTo(values);
  }

  /// Returns the slot that the generated code fills for the field of this name.
  private static Slot add(String table, Slot slot) throws ReflectiveOperationException {
    Recorder recorder = new Recorder();
    call(table, "add" + camelCase(slot), recorder, 0);
    assertThat(recorder.added).as(slot.name()).hasSize(1);
    Slot added = recorder.added.getFirst();
    return new Slot(slot.name(), added.index(), added.type(), added.defaultValue());
  }

  private static int fieldCount(String table) throws ReflectiveOperationException {
    Recorder recorder = new Recorder();
    call(table, "start" + table, recorder);
    return recorder.fieldCount;
  }

  private static void call(String generated, String name, Recorder recorder, Object... numbers)
      throws ReflectiveOperationException {
    Method method =
        Arrays.stream(generated(generated).getMethods())
            .filter(candidate -> candidate.getName().equals(name))
            .filter(candidate -> candidate.getParameterCount() == 1 + numbers.length)
            .findFirst()
            .orElseThrow(() -> new AssertionError(generated + " has no method " + name));
    Object[] arguments = new Object[1 + numbers.length];
    arguments[0] = recorder;
    for (int i = 0; i < numbers.length; i++) {
      arguments[1 + i] = number(method.getParameterTypes()[1 + i], 1 + (int) numbers[i]);
    }
    method.invoke(null, arguments);
  }

  private static Object number(Class<?> type, int value) {
    return switch (type.getName()) {
      case "boolean" -> value != 0;
      case "byte" -> (byte) value;
      case "short" -> (short) value;
      case "int" -> value;
      case "long" -> (long) value;
      default -> throw new AssertionError(type);
    };
  }

  private static Class<?> generated(String name) throws ClassNotFoundException {
    return Class.forName("org.apache.arrow.flatbuf." + name);
  }

  /// Returns `TypeType` for `Field.type_type`.
  private static String camelCase(Slot slot) {
    StringBuilder text = new StringBuilder();
    for (String word : slot.name().substring(slot.name().indexOf('.') + 1).split("_")) {
      text.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
    }
    return text.toString();
  }

  /// A builder that records the calls of generated code instead of writing.
  private static final class Recorder extends FlatBufferBuilder {
    private final List<Slot> added = new ArrayList<>();
    private final List<Integer> required = new ArrayList<>();
    private final List<String> written = new ArrayList<>();
    private int fieldCount;

    @Override
    public void startTable(int count) {
      fieldCount = count;
    }

    @Override
    public int endTable() {
      return 0;
    }

    @Override
    public void required(int table, int vtableOffset) {
      required.add((vtableOffset - 4) / 2);
    }

    @Override
    public void addBoolean(int index, boolean value, boolean absent) {
      add(index, Slot.Type.BOOL, absent ? 1 : 0);
    }

    @Override
    public void addByte(int index, byte value, int absent) {
      add(index, Slot.Type.INT8, absent);
    }

    @Override
    public void addShort(int index, short value, int absent) {
      add(index, Slot.Type.INT16, absent);
    }

    @Override
    public void addInt(int index, int value, int absent) {
      add(index, Slot.Type.INT32, absent);
    }

    @Override
    public void addLong(int index, long value, long absent) {
      add(index, Slot.Type.INT64, absent);
    }

    @Override
    public void addOffset(int index, int value, int absent) {
      add(index, Slot.Type.OFFSET, absent);
    }

    @Override
    public void addStruct(int index, int value, int absent) {
      add(index, Slot.Type.OFFSET, absent);
    }

    @Override
    public void prep(int alignment, int byteSize) {}

    @Override
    public void pad(int byteSize) {
      written.add(byteSize + " bytes of padding");
    }

    @Override
    public void putInt(int value) {
      written.add("4 bytes of number " + value);
    }

    @Override
    public void putLong(long value) {
      written.add("8 bytes of number " + value);
    }

    private void add(int index, Slot.Type type, long absent) {
      added.add(new Slot("", index, type, absent));
    }
  }
}
