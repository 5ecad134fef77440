package dev.quiver.arrow.validate;

import static dev.quiver.arrow.validate.RawArray.INT16;
import static dev.quiver.arrow.validate.RawArray.INT32;
import static dev.quiver.arrow.validate.RawArray.INT64;
import static dev.quiver.arrow.validate.RawArray.INT8;
import static dev.quiver.arrow.validate.RawArray.NONE;
import static dev.quiver.arrow.validate.RawArray.UTF8;
import static dev.quiver.arrow.validate.RawArray.array;
import static dev.quiver.arrow.validate.RawArray.bits;
import static dev.quiver.arrow.validate.RawArray.hex;
import static dev.quiver.arrow.validate.RawArray.int16s;
import static dev.quiver.arrow.validate.RawArray.int32Array;
import static dev.quiver.arrow.validate.RawArray.int32s;
import static dev.quiver.arrow.validate.RawArray.int64s;
import static dev.quiver.arrow.validate.RawArray.int8s;
import static dev.quiver.arrow.validate.RawArray.text;
import static dev.quiver.arrow.validate.RawArray.utf8Array;
import static dev.quiver.arrow.validate.Violation.below;
import static dev.quiver.arrow.validate.Violation.ofBatch;
import static dev.quiver.arrow.validate.Violation.violation;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.UnionMode;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests for every rule that an array that breaks only this rule yields a finding at the rule's
/// level and above, but not below. [ValidatorTest] covers unusual but valid arrays.
class RuleTest {

  private static final ArrowType STRUCT = new ArrowType.Struct();
  private static final ArrowType LIST = new ArrowType.List();
  private static final ArrowType LIST_VIEW = new ArrowType.ListView();
  private static final ArrowType MAP = new ArrowType.Map(false);
  private static final ArrowType RUNS = new ArrowType.RunEndEncoded();
  private static final ArrowType UTF8_VIEW = new ArrowType.Utf8View();
  private static final ArrowType SPARSE = new ArrowType.Union(UnionMode.SPARSE, List.of(5, 7));
  private static final ArrowType DENSE = new ArrowType.Union(UnionMode.DENSE, List.of(5, 7));

  static Stream<Violation> violations() {
    return Stream.of(
            batches(),
            layout(),
            nullCounts(),
            childLengths(),
            offsets(),
            unions(),
            runs(),
            utf8(),
            views(),
            indices(),
            maps(),
            DomainViolations.all())
        .flatMap(violations -> violations);
  }

  private static Stream<Violation> batches() {
    RawArray two = int32Array(1, 2);
    RawArray one = int32Array(1);
    return Stream.of(
        ofBatch(
            2,
            List.of(two, two),
            List.of(two),
            new Finding(
                Rule.COLUMN_COUNT, "", -1, "Expected 2 columns but found 1 at record batch")),
        ofBatch(
            2,
            List.of(two, one),
            List.of(two, one),
            new Finding(
                Rule.COLUMN_LENGTH,
                "f",
                -1,
                "Expected the record batch's length of 2 but found 1 at length")),
        ofBatch(
            -1,
            List.of(),
            List.of(),
            new Finding(Rule.LENGTH, "", -1, "Expected 0 or more but found -1 at length")));
  }

  private static Stream<Violation> layout() {
    return Stream.of(
        violation(
            array(INT32, -1, NONE, NONE),
            Rule.LENGTH,
            -1,
            "Expected 0 or more but found -1 at length"),
        violation(
            array(INT32, 0, NONE),
            Rule.BUFFER_COUNT,
            -1,
            "Expected 2 buffers but found 1 at buffers"),
        violation(
            array(UTF8_VIEW, 0, NONE),
            Rule.BUFFER_COUNT,
            -1,
            "Expected 2 or more buffers but found 1 at buffers"),
        violation(
            array(LIST, 0, NONE, NONE),
            Rule.CHILD_COUNT,
            -1,
            "Expected 1 children but found 0 at children"),
        violation(
            array(SPARSE, 0, NONE).children(int32Array()),
            Rule.CHILD_COUNT,
            -1,
            "Expected 2 children but found 1 at children"),
        violation(
            array(MAP, 0, NONE, NONE).children(int32Array()),
            Rule.CHILD_TYPE,
            -1,
            "Expected entries of a key and a value but found int32 at children[0]"),
        violation(
            array(RUNS, 0).children(array(INT8, 0, NONE, NONE), int32Array()),
            Rule.CHILD_TYPE,
            -1,
            "Expected run ends of int16, int32 or int64 but found int8 at children[0]"),
        violation(
            array(INT32, 3, bits("0000"), int32s(1, 2)),
            Rule.BUFFER_SIZE,
            -1,
            "Expected 12 or more bytes for 3 slots but found 8 at data"),
        violation(
            array(INT32, 9, bits("11111110"), int32s(1, 2, 3, 4, 5, 6, 7, 8, 9)).nulls(1),
            Rule.BUFFER_SIZE,
            -1,
            "Expected 2 or more bytes for 9 slots but found 1 at validity"),
        violation(
            array(UTF8, 1, NONE, int32s(0), NONE),
            Rule.BUFFER_SIZE,
            -1,
            "Expected 8 or more bytes for 1 slots but found 4 at offsets"),
        violation(
            array(DENSE, 1, int8s(5), NONE).children(int32Array(1), int32Array()),
            Rule.BUFFER_SIZE,
            -1,
            "Expected 4 or more bytes for 1 slots but found 0 at offsets"),
        violation(
            array(INT64, Long.MAX_VALUE, NONE, NONE),
            Rule.BUFFER_SIZE,
            -1,
            "Expected more than 2⁶³ bytes for 9223372036854775807 slots but found 0 at data"),
        below(
            "f.0",
            array(LIST, 0, NONE, NONE).children(array(INT32, -7, NONE, NONE).nulls(-7)),
            Rule.LENGTH,
            -1,
            "Expected 0 or more but found -7 at length"));
  }

  private static Stream<Violation> nullCounts() {
    ArrowType.Int int8 = new ArrowType.Int(8, true);
    return Stream.of(
        violation(
            int32Array(1, 2).nulls(-2),
            Rule.NULL_COUNT_RANGE,
            -1,
            "Expected -1 to 2 but found -2 at null count"),
        violation(
            int32Array(1, 2).nulls(3),
            Rule.NULL_COUNT_RANGE,
            -1,
            "Expected -1 to 2 but found 3 at null count"),
        violation(
            array(new ArrowType.Null(), 3).nulls(2),
            Rule.NULL_COUNT_OF_NULLS,
            -1,
            "Expected the length of 3 but found 2 at null count"),
        violation(
            int32Array(1, 2).nulls(1),
            Rule.VALIDITY,
            -1,
            "Expected a validity buffer for 1 nulls but found none at validity"),
        violation(
            array(UTF8, 3, bits("001"), int8s(0, 0, 0)).nulls(2).indices(int8, null),
            Rule.DICTIONARY,
            -1,
            "Expected a dictionary for 1 slots that are not null but found none at dictionary"),
        violation(
            array(INT32, 3, bits("011"), int32s(1, 2, 3)).nulls(2),
            Rule.NULL_COUNT,
            -1,
            "Expected 1, the zeros in the validity, but found 2 at null count"),
        violation(
            array(INT32, 3, bits("000"), int32s(1, 2, 3)).nulls(1),
            Rule.NULL_COUNT,
            -1,
            "Expected 3, the zeros in the validity, but found 1 at null count"));
  }

  private static Stream<Violation> childLengths() {
    return Stream.of(
        violation(
            array(STRUCT, 2, NONE).children(int32Array(1, 2), int32Array(1)),
            Rule.STRUCT_CHILD_LENGTH,
            -1,
            "Expected 2 or more slots but found 1 at children[1]"),
        violation(
            array(SPARSE, 2, int8s(5, 7)).children(int32Array(1, 2), int32Array(1)),
            Rule.UNION_CHILD_LENGTH,
            -1,
            "Expected 2 or more slots but found 1 at children[1]"),
        violation(
            array(new ArrowType.FixedSizeList(2), 2, NONE).children(int32Array(1, 2, 3)),
            Rule.FIXED_SIZE_LIST_CHILD_LENGTH,
            -1,
            "Expected 2 × 2 or more slots but found 3 at children[0]"),
        violation(
            array(new ArrowType.FixedSizeList(4), 1L << 62, NONE).children(int32Array()),
            Rule.FIXED_SIZE_LIST_CHILD_LENGTH,
            -1,
            "Expected 4611686018427387904 × 4 or more slots but found 0 at children[0]"),
        violation(
            array(new ArrowType.FixedSizeList(2), 1L << 62, NONE).children(int32Array()),
            Rule.FIXED_SIZE_LIST_CHILD_LENGTH,
            -1,
            "Expected 4611686018427387904 × 2 or more slots but found 0 at children[0]"));
  }

  private static Stream<Violation> offsets() {
    ArrowType large = new ArrowType.LargeBinary();
    return Stream.of(
        violation(
            array(UTF8, 2, NONE, int32s(-1, 0, 1), text("ab")),
            Rule.OFFSET_FIRST,
            0,
            "Expected 0 or more but found -1 at offsets[0]"),
        violation(
            array(UTF8, 0, NONE, int32s(-1), text("ab")),
            Rule.OFFSET_FIRST,
            0,
            "Expected 0 or more but found -1 at offsets[0]"),
        violation(
            array(UTF8, 0, NONE, int32s(3), text("ab")),
            Rule.OFFSET_LAST,
            0,
            "Expected 2 or less, the size of the data, but found 3 at offsets[0]"),
        violation(
            array(UTF8, 3, NONE, int32s(0, 2, 1, 2), text("ab")),
            Rule.OFFSET_ORDER,
            2,
            "Expected 2 or more but found 1 at offsets[2]"),
        violation(
            array(large, 2, NONE, int64s(0, 1L << 40, 2), text("ab")),
            Rule.OFFSET_ORDER,
            2,
            "Expected 1099511627776 or more but found 2 at offsets[2]"),
        violation(
            array(large, 1, bits("0"), int64s(0, 3), text("ab")).nulls(1),
            Rule.OFFSET_LAST,
            1,
            "Expected 2 or less, the size of the data, but found 3 at offsets[1]"),
        violation(
            array(LIST, 1, NONE, int32s(0, 4)).children(int32Array(1, 2, 3)),
            Rule.OFFSET_LAST,
            1,
            "Expected 3 or less, the length of the child, but found 4 at offsets[1]"),
        violation(
            array(LIST_VIEW, 2, bits("01"), int32s(0, 2), int32s(2, 2))
                .nulls(1)
                .children(int32Array(1, 2, 3)),
            Rule.LIST_VIEW_RANGE,
            1,
            "Expected slots from 0 to 3 but found offset 2 and size 2 at offsets[1]"),
        violation(
            array(LIST_VIEW, 1, NONE, int32s(-1), int32s(1)).children(int32Array(1, 2, 3)),
            Rule.LIST_VIEW_RANGE,
            0,
            "Expected slots from 0 to 3 but found offset -1 and size 1 at offsets[0]"),
        violation(
            array(new ArrowType.LargeListView(), 1, NONE, int64s(2), int64s(Long.MAX_VALUE))
                .children(int32Array(1, 2, 3)),
            Rule.LIST_VIEW_RANGE,
            0,
            "Expected slots from 0 to 3 but found offset 2 and size 9223372036854775807 at"
                + " offsets[0]"),
        violation(
            array(LIST_VIEW, 1, NONE, int32s(0), int32s(-1)).children(int32Array(1, 2, 3)),
            Rule.LIST_VIEW_RANGE,
            0,
            "Expected slots from 0 to 3 but found offset 0 and size -1 at offsets[0]"));
  }

  private static Stream<Violation> unions() {
    return Stream.of(
        violation(
            array(SPARSE, 2, int8s(5, 6)).children(int32Array(1, 2), int32Array(1, 2)),
            Rule.UNION_TYPE_ID,
            1,
            "Expected one of [5, 7] but found 6 at type ids[1]"),
        violation(
            array(DENSE, 2, int8s(5, -1), int32s(0, 0)).children(int32Array(1), int32Array(1)),
            Rule.UNION_TYPE_ID,
            1,
            "Expected one of [5, 7] but found -1 at type ids[1]"),
        violation(
            array(DENSE, 2, int8s(5, 7), int32s(0, 1)).children(int32Array(1, 2), int32Array(1)),
            Rule.UNION_OFFSET,
            1,
            "Expected 0 to less than 1, the length of the child, but found 1 at offsets[1]"),
        violation(
            array(DENSE, 1, int8s(5), int32s(-1)).children(int32Array(1), int32Array(1)),
            Rule.UNION_OFFSET,
            0,
            "Expected 0 to less than 1, the length of the child, but found -1 at offsets[0]"),
        violation(
            array(DENSE, 3, int8s(5, 7, 5), int32s(1, 0, 0))
                .children(int32Array(1, 2), int32Array(1)),
            Rule.UNION_OFFSET_ORDER,
            2,
            "Expected 1 or more for type id 5 but found 0 at offsets[2]"));
  }

  private static Stream<Violation> runs() {
    return Stream.of(
        violation(
            array(RUNS, 4).children(int32Array(2, 4), int32Array(1)),
            Rule.RUN_COUNT,
            -1,
            "Expected 2 or more values, one for each run end, but found 1 at children[1]"),
        violation(
            array(RUNS, 4)
                .children(array(INT32, 2, bits("10"), int32s(2, 4)).nulls(1), int32Array(1, 2)),
            Rule.RUN_END_NULL,
            -1,
            "Expected no nulls in the run ends but found 1 at children[0]"),
        violation(
            array(RUNS, 4).children(int32Array(0, 4), int32Array(1, 2)),
            Rule.RUN_END_ORDER,
            0,
            "Expected more than 0 but found 0 at run ends[0]"),
        violation(
            array(RUNS, 4).children(array(INT16, 3, NONE, int16s(2, 2, 4)), int32Array(1, 2, 3)),
            Rule.RUN_END_ORDER,
            1,
            "Expected more than 2 but found 2 at run ends[1]"),
        violation(
            array(RUNS, 5).children(array(INT64, 2, NONE, int64s(2, 4)), int32Array(1, 2)),
            Rule.RUN_END_LAST,
            1,
            "Expected 5 or more, the length, but found 4 at run ends[1]"),
        violation(
            array(RUNS, 5).children(int32Array(), int32Array()),
            Rule.RUN_END_LAST,
            -1,
            "Expected 5 or more, the length, but found no run at run ends"));
  }

  private static Stream<Violation> utf8() {
    return Stream.of(
        violation(
            array(UTF8, 3, NONE, int32s(0, 1, 3, 4), hex("61 62 ff 63")),
            Rule.UTF8,
            1,
            "Expected UTF-8 but found 0xff in byte 1 at slots[1]"),
        violation(
            array(new ArrowType.LargeUtf8(), 1, NONE, int64s(0, 3), hex("ed a0 80")),
            Rule.UTF8,
            0,
            "Expected UTF-8 but found 0xed in byte 0 at slots[0]"),
        below(
            "f.1",
            array(STRUCT, 3, bits("101"))
                .nulls(1)
                .children(
                    int32Array(1, 2, 3), array(UTF8, 3, NONE, int32s(0, 1, 2, 3), hex("61 ff ff"))),
            Rule.UTF8,
            2,
            "Expected UTF-8 but found 0xff in byte 0 at slots[2]"));
  }

  /// The bytes of both slots together are valid, which must not hide the violation.
  @Test
  void reportsBothPartsOfASplitCharacter() {
    RawArray split = array(UTF8, 2, NONE, int32s(0, 1, 2), hex("c3 a4"));
    assertThat(Validator.validateDictionary(split.data(), Level.VALUES, "f"))
        .extracting(Finding::sentence)
        .containsExactly(
            "Expected UTF-8 but found 0xc3 in byte 0 at slots[0]",
            "Expected UTF-8 but found 0xa4 in byte 0 at slots[1]");
  }

  private static Stream<Violation> views() {
    return Stream.of(
        violation(
            view("ffffffff 00000000 00000000 00000000"),
            Rule.VIEW_SIZE,
            0,
            "Expected a size of 0 or more but found -1 at views[0]"),
        violation(
            view("02000000 61620100 00000000 00000000"),
            Rule.VIEW_PADDING,
            0,
            "Expected zeros after a value of 2 bytes but found other bytes at views[0]"),
        violation(
            view("02000000 61620000 00000000 00000001"),
            Rule.VIEW_PADDING,
            0,
            "Expected zeros after a value of 2 bytes but found other bytes at views[0]"),
        violation(
            view("0b000000 61616161 61616161 61616101"),
            Rule.VIEW_PADDING,
            0,
            "Expected zeros after a value of 11 bytes but found other bytes at views[0]"),
        violation(
            view("0d000000 74686972 01000000 00000000"),
            Rule.VIEW_BUFFER_INDEX,
            0,
            "Expected a buffer index from 0 to less than 1 but found 1 at views[0]"),
        violation(
            view("0d000000 74686972 ffffffff 00000000"),
            Rule.VIEW_BUFFER_INDEX,
            0,
            "Expected a buffer index from 0 to less than 1 but found -1 at views[0]"),
        violation(
            view("0d000000 74686972 00000000 01000000"),
            Rule.VIEW_RANGE,
            0,
            "Expected bytes from 0 to 13 of data buffer 0 but found offset 1 and size 13 at"
                + " views[0]"),
        violation(
            view("0d000000 74686972 00000000 ffffffff"),
            Rule.VIEW_RANGE,
            0,
            "Expected bytes from 0 to 13 of data buffer 0 but found offset -1 and size 13 at"
                + " views[0]"),
        violation(
            view("0d000000 74686973 00000000 00000000"),
            Rule.VIEW_PREFIX,
            0,
            "Expected the prefix 0x74686972 but found 0x74686973 at views[0]"),
        violation(
            view("02000000 61ff0000 00000000 00000000"),
            Rule.UTF8,
            0,
            "Expected UTF-8 but found 0xff in byte 1 at views[0]"),
        violation(
            array(
                UTF8_VIEW,
                1,
                NONE,
                hex("0d000000 61616161 00000000 00000000"),
                hex("61616161 616161ff 61616161 61")),
            Rule.UTF8,
            0,
            "Expected UTF-8 but found other bytes at views[0]"));
  }

  private static RawArray view(String hex) {
    return array(UTF8_VIEW, 1, NONE, hex(hex), text("thirteen byte"));
  }

  private static Stream<Violation> indices() {
    String expected = "Expected 0 to less than 2, the length of the dictionary, but found ";
    return Stream.of(
        violation(
            encoded(int8s(0, 2), 8, true), Rule.DICTIONARY_INDEX, 1, expected + "2 at indices[1]"),
        violation(
            encoded(int8s(0, -1), 8, true),
            Rule.DICTIONARY_INDEX,
            1,
            expected + "-1 at indices[1]"),
        violation(
            encoded(int8s(0, -1), 8, false),
            Rule.DICTIONARY_INDEX,
            1,
            expected + "255 at indices[1]"),
        violation(
            encoded(int16s(0, -1), 16, false),
            Rule.DICTIONARY_INDEX,
            1,
            expected + "65535 at indices[1]"),
        violation(
            encoded(int32s(0, -1), 32, true),
            Rule.DICTIONARY_INDEX,
            1,
            expected + "-1 at indices[1]"),
        violation(
            encoded(int64s(0, -1), 64, false),
            Rule.DICTIONARY_INDEX,
            1,
            expected + "18446744073709551615 at indices[1]"),
        violation(
            encoded(int64s(0, Long.MIN_VALUE), 64, true),
            Rule.DICTIONARY_INDEX,
            1,
            expected + "-9223372036854775808 at indices[1]"),
        violation(
            array(UTF8, 2, bits("01"), int8s(0, 9))
                .nulls(-1)
                .indices(new ArrowType.Int(8, true), null),
            Rule.DICTIONARY_INDEX,
            0,
            "Expected 0 to less than 0, the length of the dictionary, but found 0 at indices[0]"));
  }

  private static RawArray encoded(MemorySegment indices, int bitWidth, boolean signed) {
    return array(UTF8, 2, NONE, indices)
        .indices(new ArrowType.Int(bitWidth, signed), utf8Array("a", "b"));
  }

  private static Stream<Violation> maps() {
    RawArray keys = utf8Array("a", "b", "c");
    RawArray nullKey = array(UTF8, 3, bits("101"), int32s(0, 1, 2, 3), text("abc")).nulls(1);
    return Stream.of(
        below(
            "f.0",
            array(MAP, 2, NONE, int32s(0, 1, 3))
                .children(
                    array(STRUCT, 3, bits("011")).nulls(1).children(keys, int32Array(1, 2, 3))),
            Rule.MAP_ENTRY_NULL,
            2,
            "Expected a value but found null at slots[2]"),
        below(
            "f.0.0",
            array(MAP, 2, NONE, int32s(0, 1, 3))
                .children(array(STRUCT, 3, NONE).children(nullKey, int32Array(1, 2, 3))),
            Rule.MAP_KEY_NULL,
            1,
            "Expected a value but found null at slots[1]"));
  }

  @ParameterizedTest
  @MethodSource("violations")
  void findsEachViolationFromTheLevelOfItsRuleOn(Violation violation) {
    Finding finding = violation.finding();
    for (Level level : Level.values()) {
      List<Finding> findings = violation.findings(level);
      if (level.compareTo(finding.rule().level()) < 0) {
        assertThat(findings).isEmpty();
      } else {
        assertThat(findings).containsExactly(finding);
      }
    }
  }

  @Test
  void violationsCoverEveryRule() {
    assertThat(violations().map(violation -> violation.finding().rule())).contains(Rule.values());
  }

  @Test
  void everyRuleHasASentenceAndALinkToTheSpecification() {
    assertThat(Rule.values())
        .allSatisfy(rule -> {
          assertThat(rule.description()).matches("[A-Z][^.]+\\.");
          assertThat(rule.link().toString())
              .matches("https://arrow\\.apache\\.org/docs/format/Columnar\\.html#[a-z-]+");
        });
  }
}
