package dev.quiver.sql.vector;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.Field;
import dev.quiver.sql.library.NativeMemory;
import dev.quiver.sql.library.Vectors;
import java.lang.foreign.SegmentAllocator;
import java.util.List;

/// A builder of sparse unions. A null union becomes a null of the first member, since Arrow's
/// unions have no validity.
final class UnionBuilder extends ColumnBuilder {

  private final List<ColumnBuilder> members;
  private final GrowingMemory typeIds = new GrowingMemory();
  private long tags;

  UnionBuilder(Field field, Vectors vectors, List<ColumnBuilder> members) {
    super(field, vectors);
    this.members = members;
  }

  @Override
  public void attach(long vector) {
    super.attach(vector);
    tags = vectors.data(vectors.structChild(vector, 0));
    for (int i = 0; i < members.size(); i++) {
      members.get(i).attach(vectors.structChild(vector, i + 1));
    }
  }

  @Override
  public long byteSize(long row, int count) {
    return count + members.stream().mapToLong(member -> member.byteSize(row, count)).sum();
  }

  @Override
  public void append(long row, int count, SegmentAllocator allocator) {
    appendValues(row, count, allocator);
  }

  @Override
  void appendValues(long row, int count, SegmentAllocator allocator) {
    long start = typeIds.extend(count, allocator);
    for (int i = 0; i < count; i++) {
      byte tag = isNull(row + i) ? 0 : NativeMemory.getInt8(tags + row + i);
      LittleEndian.setInt8(typeIds.memory(), start + i, tag);
    }
    members.forEach(member -> member.append(row, count, allocator));
  }

  @Override
  public ArrayData take() {
    long length = typeIds.byteSize();
    return new ArrayData(
        field,
        length,
        0,
        List.of(typeIds.take()),
        members.stream().map(ColumnBuilder::take).toList(),
        null);
  }
}
