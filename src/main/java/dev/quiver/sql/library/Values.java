package dev.quiver.sql.library;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Single values: parameters of statements and of table functions.
public final class Values extends FunctionGroup {
  private final NativeText text;

  /// A decimal: the precision and the scale in a byte each, then, at 8, the low and the high half.
  public static final StructLayout DECIMAL =
      MemoryLayout.structLayout(
          ValueLayout.JAVA_BYTE,
          ValueLayout.JAVA_BYTE,
          MemoryLayout.paddingLayout(6),
          MemoryLayout.structLayout(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));

  private static final MethodHandle CREATE_DECIMAL =
      Downcalls.handle(FunctionDescriptor.of(ValueLayout.JAVA_LONG, DECIMAL));
  private static final MethodHandle CREATE_DOUBLE =
      Downcalls.handle(FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_DOUBLE));

  private final MemorySegment createDecimal = find("create_decimal");
  private final MemorySegment createDouble = find("create_double");
  private final MemorySegment createVarcharLength = find("create_varchar_length");
  private final MemorySegment createBool = find("create_bool");
  private final MemorySegment createInt64 = find("create_int64");
  private final MemorySegment createNullValue = find("create_null_value");
  private final MemorySegment createListValue = find("create_list_value");
  private final MemorySegment getVarchar = find("get_varchar");
  private final MemorySegment isNullValue = find("is_null_value");
  private final MemorySegment destroyValue = find("destroy_value");

  Values(Functions functions, NativeText text) {
    super(functions);
    this.text = text;
  }

  private long createText(long text, long byteSize) {
    return Downcalls.call(createVarcharLength, text, byteSize);
  }

  public long createBool(boolean value) {
    return Downcalls.call(createBool, value ? 1 : 0);
  }

  public long createInt64(long value) {
    return Downcalls.call(createInt64, value);
  }

  public long createNull() {
    return Downcalls.call(createNullValue);
  }

  /// Returns a list, or 0 if an item does not convert.
  ///
  /// @param type of the items
  /// @param items the address of an array of values
  public long createList(long type, long items, long count) {
    return Downcalls.call(createListValue, type, items, count);
  }

  /// Returns a value as text, or null if it is null. The function itself ends the process then.
  public @Nullable String text(long value) {
    boolean isNull = (Downcalls.call(isNullValue, value) & 0xFF) != 0;
    return isNull ? null : text.take(Downcalls.call(getVarchar, value));
  }

  public long createDecimal(MemorySegment decimal) {
    try {
      return (long) CREATE_DECIMAL.invokeExact(createDecimal, decimal);
    } catch (Throwable e) {
      throw Downcalls.failure(e);
    }
  }

  public long createDouble(double value) {
    try {
      return (long) CREATE_DOUBLE.invokeExact(createDouble, value);
    } catch (Throwable e) {
      throw Downcalls.failure(e);
    }
  }

  /// Returns a text, or 0 if it is not valid Unicode.
  public long createText(String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment copy = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
      return createText(copy.address(), bytes.length);
    }
  }

  /// Destroys a value by its address.
  public void release(long value) {
    destroy(destroyValue, value);
  }
}
