package dev.quiver.arrow.codec;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class Sha256Test {

  /// The one-block example of FIPS 180-2, appendix B.1, and the digest of the empty string.
  @Test
  void digestsTheExamplesOfTheStandard() {
    assertThat(Sha256.hex("abc"))
        .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assertThat(Sha256.hex(""))
        .isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assertThat(Sha256.digest("abc")).hasSize(32).startsWith(0xba, 0x78);
  }
}
