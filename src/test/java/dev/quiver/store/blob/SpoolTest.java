package dev.quiver.store.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.parallel.Claimant;
import dev.quiver.arrow.parallel.OverloadedException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The shares of claimants, and the part of the spool that received bodies leave to results.
class SpoolTest {

  private static final long LIMIT = 1_600;
  private static final Claimant ALICE = new Claimant("alice", /* isAlone= */ false);
  private static final Claimant BOB = new Claimant("bob", /* isAlone= */ false);
  private static final Claimant ONLY = new Claimant("only", /* isAlone= */ true);

  @TempDir private Path folder;
  private Spool spool;

  @BeforeEach
  void open() {
    spool = new Spool(folder, new Limit("quiver.spool.bytes", LIMIT));
  }

  @AfterEach
  void close() {
    spool.close();
  }

  private SpooledFile body(int byteSize) throws IOException {
    return SpooledFile.of(
        ByteSource.joined(MemorySegment.ofArray(new byte[byteSize]), _ -> -1), spool);
  }

  private SpooledFile result(int byteSize) throws IOException {
    return SpooledFile.written(
        sink -> sink.write(MemorySegment.ofArray(new byte[byteSize])), spool);
  }

  @Test
  void onlyClaimantHasAllOfTheSpool() throws IOException {
    try (SpooledFile _ = ONLY.<SpooledFile, IOException>call(() -> body((int) LIMIT))) {
      assertThat(spool.taken()).isEqualTo(LIMIT);
    }
    assertThat(spool.taken()).isZero();
    assertThatThrownBy(() -> ONLY.call(() -> body((int) LIMIT + 1)))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessageContaining("quiver.spool.bytes");
    assertThat(spool.taken()).isZero();
  }

  /// Of the 1,200 bytes for bodies, one claimant has 900, and the next 225 of the other 300.
  @Test
  void bodiesOfOthersFitBesideThoseOfOneClaimant() throws IOException {
    assertThatThrownBy(() -> ALICE.call(() -> body(901)))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessageContaining("900");
    try (SpooledFile _ = ALICE.<SpooledFile, IOException>call(() -> body(500));
        SpooledFile _ = ALICE.<SpooledFile, IOException>call(() -> body(400))) {
      assertThatThrownBy(() -> ALICE.call(() -> body(1))).isInstanceOf(OverloadedException.class);
      assertThatThrownBy(() -> BOB.call(() -> body(226))).isInstanceOf(OverloadedException.class);
      BOB.<SpooledFile, IOException>call(() -> body(225)).close();
      assertThat(spool.taken()).isEqualTo(900);
    }
    assertThat(spool.taken()).isZero();
  }

  /// Of all 1,600 bytes, one claimant has 1,200, and the next 300 of the other 400.
  @Test
  void bodiesLeaveAPartToResults() throws IOException {
    try (SpooledFile _ = ALICE.<SpooledFile, IOException>call(() -> body(900));
        SpooledFile _ = ALICE.<SpooledFile, IOException>call(() -> result(300))) {
      assertThatThrownBy(() -> ALICE.call(() -> result(1))).isInstanceOf(OverloadedException.class);
      BOB.<SpooledFile, IOException>call(() -> result(300)).close();
    }
    assertThat(spool.taken()).isZero();
  }

  /// A claimant may keep files as long as nothing else needs their space.
  @Test
  void keptFilesThatAreNotUsedDoNotCountForTheirClaimant() throws IOException {
    ALICE.<KeptFile, IOException>call(() -> spool.kept().open("kept", () -> result(700))).close();
    assertThat(spool.taken()).isEqualTo(700);
    try (SpooledFile _ = ALICE.<SpooledFile, IOException>call(() -> result(600))) {
      assertThat(spool.kept().count()).isOne();
    }
    ALICE.<SpooledFile, IOException>call(() -> result(1_200)).close();
    assertThat(spool.kept().count()).isZero();
  }

  private KeptFile kept(String key, int byteSize) throws IOException {
    return spool.kept().open(key, () -> result(byteSize));
  }

  /// Otherwise, a slow client could hold the whole spool by files that are kept.
  @Test
  void keptFilesInUseCountForTheirUser() throws IOException {
    for (String key : new String[] {"a", "b", "c"}) {
      ALICE.<KeptFile, IOException>call(() -> kept(key, 420)).close();
    }
    try (KeptFile _ = BOB.<KeptFile, IOException>call(() -> kept("a", 420));
        KeptFile _ = BOB.<KeptFile, IOException>call(() -> kept("b", 420))) {
      assertThatThrownBy(() -> BOB.call(() -> kept("c", 420)))
          .isInstanceOf(OverloadedException.class);
      assertThat(spool.taken()).isEqualTo(1_260);
      ALICE.<KeptFile, IOException>call(() -> kept("a", 420)).close();
    }
    BOB.<KeptFile, IOException>call(() -> kept("c", 420)).close();
  }

  /// It would get no room all the same.
  @Test
  void claimantAtItsShareEvictsNothing() throws IOException {
    BOB.<KeptFile, IOException>call(() -> kept("kept", 100)).close();
    try (SpooledFile _ = ALICE.<SpooledFile, IOException>call(() -> body(900))) {
      assertThatThrownBy(() -> ALICE.call(() -> body(1))).isInstanceOf(OverloadedException.class);
      assertThatThrownBy(() -> ALICE.call(() -> result(301)))
          .isInstanceOf(OverloadedException.class);
      assertThat(spool.kept().count()).isOne();
    }
  }
}
