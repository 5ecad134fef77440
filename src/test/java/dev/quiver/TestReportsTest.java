package dev.quiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;

@Tag("random")
class TestReportsTest {

  /// Without an assertion, so that nothing but the loop knows the seed.
  @ExtendWith(TestReports.class)
  static class FailingTrial {

    @Test
    void failsWithSeedThree() {
      for (int seed : Trials.seeds(1_000)) {
        if (seed == 3) {
          throw new IllegalStateException("planted");
        }
      }
    }

    @Test
    void failsAfterItsTrials() {
      for (int seed : Trials.seeds(1_000)) {
        assertThat(seed).isNotNegative();
      }
      throw new IllegalStateException("planted");
    }
  }

  @ExtendWith(TestReports.class)
  static class FailingElsewhere {

    @TestFactory
    Stream<DynamicTest> dynamic() {
      return Stream.of(DynamicTest.dynamicTest("dynamic", TestReportsTest::fail));
    }
  }

  @ExtendWith(TestReports.class)
  static class FailingConstructor {

    FailingConstructor() {
      fail();
    }

    @Test
    void neverStarts() {}
  }

  @ExtendWith(TestReports.class)
  static class FailingStart {

    @BeforeAll
    static void start() {
      fail();
    }

    @Test
    void neverStarts() {}
  }

  private static void fail() {
    throw new IllegalStateException("planted");
  }

  private static List<String> failures(Class<?> type) {
    return EngineTestKit.engine("junit-jupiter")
        .selectors(selectClass(type))
        .execute()
        .allEvents()
        .finished()
        .stream()
        .map(event -> event.getRequiredPayload(TestExecutionResult.class).getThrowable())
        .flatMap(failure -> failure.stream())
        .map(Throwable::getMessage)
        .toList();
  }

  @Test
  void failureNamesItsSeedAndItsLog() {
    String log = "(?s).*planted.*%s.*its log: target.*TestReportsTest-output.txt.*";
    assertThat(failures(FailingTrial.class))
        .satisfiesExactlyInAnyOrder(
            message -> assertThat(message).matches(log.formatted("failsWithSeedThree.*, seed 3")),
            message ->
                assertThat(message)
                    .matches(log.formatted("failsAfterItsTrials"))
                    .doesNotContain("seed"));
    for (Class<?> type :
        List.of(FailingElsewhere.class, FailingConstructor.class, FailingStart.class)) {
      assertThat(failures(type))
          .singleElement()
          .satisfies(message -> assertThat(message).as(type.getName()).matches(log.formatted("")));
    }
  }
}
