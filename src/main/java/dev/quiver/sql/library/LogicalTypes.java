package dev.quiver.sql.library;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The types of columns and values. Each type that a method returns is destroyed by the caller.
public final class LogicalTypes {
  private final NativeText text;
  private final MemorySegment createLogicalType;
  private final MemorySegment createDecimalType;
  private final MemorySegment createListType;
  private final MemorySegment createArrayType;
  private final MemorySegment createMapType;
  private final MemorySegment createStructType;
  private final MemorySegment createUnionType;
  private final MemorySegment logicalTypeSetAlias;
  private final MemorySegment getTypeId;
  private final MemorySegment logicalTypeGetAlias;
  private final MemorySegment decimalWidth;
  private final MemorySegment decimalScale;
  private final MemorySegment decimalInternalType;
  private final MemorySegment enumInternalType;
  private final MemorySegment enumDictionarySize;
  private final MemorySegment enumDictionaryValue;
  private final MemorySegment listTypeChildType;
  private final MemorySegment arrayTypeChildType;
  private final MemorySegment arrayTypeArraySize;
  private final MemorySegment mapTypeKeyType;
  private final MemorySegment mapTypeValueType;
  private final MemorySegment structTypeChildCount;
  private final MemorySegment structTypeChildName;
  private final MemorySegment structTypeChildType;
  private final MemorySegment unionTypeMemberCount;
  private final MemorySegment unionTypeMemberName;
  private final MemorySegment unionTypeMemberType;
  private final MemorySegment destroyLogicalType;

  LogicalTypes(Functions functions, NativeText text) {
    this.text = text;

    createLogicalType = functions.find("create_logical_type");
    createDecimalType = functions.find("create_decimal_type");
    createListType = functions.find("create_list_type");
    createArrayType = functions.find("create_array_type");
    createMapType = functions.find("create_map_type");
    createStructType = functions.find("create_struct_type");
    createUnionType = functions.find("create_union_type");
    logicalTypeSetAlias = functions.find("logical_type_set_alias");
    getTypeId = functions.find("get_type_id");
    logicalTypeGetAlias = functions.find("logical_type_get_alias");
    decimalWidth = functions.find("decimal_width");
    decimalScale = functions.find("decimal_scale");
    decimalInternalType = functions.find("decimal_internal_type");
    enumInternalType = functions.find("enum_internal_type");
    enumDictionarySize = functions.find("enum_dictionary_size");
    enumDictionaryValue = functions.find("enum_dictionary_value");
    listTypeChildType = functions.find("list_type_child_type");
    arrayTypeChildType = functions.find("array_type_child_type");
    arrayTypeArraySize = functions.find("array_type_array_size");
    mapTypeKeyType = functions.find("map_type_key_type");
    mapTypeValueType = functions.find("map_type_value_type");
    structTypeChildCount = functions.find("struct_type_child_count");
    structTypeChildName = functions.find("struct_type_child_name");
    structTypeChildType = functions.find("struct_type_child_type");
    unionTypeMemberCount = functions.find("union_type_member_count");
    unionTypeMemberName = functions.find("union_type_member_name");
    unionTypeMemberType = functions.find("union_type_member_type");
    destroyLogicalType = functions.find("destroy_logical_type");
  }

  public long create(int typeId) {
    return Downcalls.call(createLogicalType, typeId);
  }

  public long createDecimal(int precision, int scale) {
    return Downcalls.call(createDecimalType, precision, scale);
  }

  public long createList(long child) {
    return Downcalls.call(createListType, child);
  }

  public long createArray(long child, long size) {
    return Downcalls.call(createArrayType, child, size);
  }

  public long createMap(long key, long value) {
    return Downcalls.call(createMapType, key, value);
  }

  public long createStruct(long children, long names, long count) {
    return Downcalls.call(createStructType, children, names, count);
  }

  public long createUnion(long members, long names, long count) {
    return Downcalls.call(createUnionType, members, names, count);
  }

  public void setAlias(long type, long alias) {
    Downcalls.call(logicalTypeSetAlias, type, alias);
  }

  public int id(long type) {
    return (int) Downcalls.call(getTypeId, type);
  }

  /// Returns the name of a type that is stored like another one, such as `JSON`, or an empty text.
  public String alias(long type) {
    return text.take(Downcalls.call(logicalTypeGetAlias, type));
  }

  public int decimalPrecision(long type) {
    return (int) Downcalls.call(decimalWidth, type) & 0xFF;
  }

  public int decimalScale(long type) {
    return (int) Downcalls.call(decimalScale, type) & 0xFF;
  }

  /// Returns the type of the integers that hold the decimals.
  public int decimalStorage(long type) {
    return (int) Downcalls.call(decimalInternalType, type);
  }

  /// Returns the type of the integers that hold the positions of an enum.
  public int enumStorage(long type) {
    return (int) Downcalls.call(enumInternalType, type);
  }

  public int enumSize(long type) {
    return (int) Downcalls.call(enumDictionarySize, type);
  }

  public String enumValue(long type, long index) {
    return text.take(Downcalls.call(enumDictionaryValue, type, index));
  }

  public long listChild(long type) {
    return Downcalls.call(listTypeChildType, type);
  }

  public long arrayChild(long type) {
    return Downcalls.call(arrayTypeChildType, type);
  }

  public long arraySize(long type) {
    return Downcalls.call(arrayTypeArraySize, type);
  }

  public long mapKey(long type) {
    return Downcalls.call(mapTypeKeyType, type);
  }

  public long mapValue(long type) {
    return Downcalls.call(mapTypeValueType, type);
  }

  public long structSize(long type) {
    return Downcalls.call(structTypeChildCount, type);
  }

  public String structName(long type, long index) {
    return text.take(Downcalls.call(structTypeChildName, type, index));
  }

  public long structChild(long type, long index) {
    return Downcalls.call(structTypeChildType, type, index);
  }

  public long unionSize(long type) {
    return Downcalls.call(unionTypeMemberCount, type);
  }

  public String unionName(long type, long index) {
    return text.take(Downcalls.call(unionTypeMemberName, type, index));
  }

  public long unionMember(long type, long index) {
    return Downcalls.call(unionTypeMemberType, type, index);
  }

  private void destroy(long typePointer) {
    Downcalls.call(destroyLogicalType, typePointer);
  }

  /// Destroys a type by its address.
  public void release(long type) {
    try (Arena arena = Arena.ofConfined()) {
      destroy(arena.allocateFrom(JAVA_LONG, type).address());
    }
  }
}
