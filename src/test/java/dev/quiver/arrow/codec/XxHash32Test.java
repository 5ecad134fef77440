package dev.quiver.arrow.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Random;
import net.jpountz.xxhash.XXHash32;
import net.jpountz.xxhash.XXHashFactory;
import org.junit.jupiter.api.Test;

/// Tests [XxHash32] against the hash of lz4-java, at every size with up to six stripes.
class XxHash32Test {

  @Test
  void matchesTheReferenceImplementation() {
    XXHash32 reference = XXHashFactory.safeInstance().hash32();
    byte[] bytes = BufferCodecContract.noise(new Random(6), 200);
    MemorySegment segment = MemorySegment.ofArray(bytes);
    for (int byteSize = 0; byteSize < 100; byteSize++) {
      for (int byteOffset : new int[] {0, 1, 13}) {
        assertThat(XxHash32.hash(segment, byteOffset, byteSize))
            .isEqualTo(reference.hash(bytes, byteOffset, byteSize, 0));
      }
    }
  }
}
