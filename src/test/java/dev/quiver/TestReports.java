package dev.quiver;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/// Tells the seed of a failed test and where its log is, and appends the times of each test class
/// to `class-times.tsv`: name, milliseconds, milliseconds of processor time.
///
/// The processor time is that of this process and of its ended child processes, as Linux counts it;
/// elsewhere of this process alone. JUnit finds this extension by its service file. It does nothing
/// outside of Maven, which sets the property `test.reports` to a folder.
public final class TestReports
    implements BeforeAllCallback,
        AfterAllCallback,
        BeforeEachCallback,
        InvocationInterceptor,
        TestExecutionExceptionHandler,
        LifecycleMethodExecutionExceptionHandler {

  private static final @Nullable String FOLDER = System.getProperty("test.reports");

  private static final ExtensionContext.Namespace STORE =
      ExtensionContext.Namespace.create(TestReports.class);

  /// The ticks of a second in `/proc`.
  private static final int TICKS_PER_SECOND = 100;

  /// The index of the processor time of the process in `/proc/self/stat`, after the name.
  private static final int FIRST_TIME = 11;

  private record Moment(long nanos, Duration processorTime) {}

  @Override
  public void beforeAll(ExtensionContext context) {
    if (FOLDER != null && isOutermost(context)) {
      context.getStore(STORE).put(Moment.class, new Moment(System.nanoTime(), processorTime()));
    }
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    Moment begin = context.getStore(STORE).get(Moment.class, Moment.class);
    if (FOLDER != null && begin != null && isOutermost(context)) {
      Duration time = Duration.ofNanos(System.nanoTime() - begin.nanos());
      Duration processorTime = processorTime().minus(begin.processorTime());
      String line =
          "%s\t%d\t%d%n"
              .formatted(
                  context.getRequiredTestClass().getName(),
                  time.toMillis(),
                  processorTime.toMillis());
      Files.createDirectories(Path.of(FOLDER));
      // One write, which other processes do not interrupt.
      Files.write(
          Path.of(FOLDER, "class-times.tsv"),
          line.getBytes(StandardCharsets.UTF_8),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    }
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    Trials.forgetSeed();
  }

  @Override
  public void interceptDynamicTest(
      Invocation<@Nullable Void> invocation,
      DynamicTestInvocationContext invocationContext,
      ExtensionContext context)
      throws Throwable {
    Trials.forgetSeed();
    try {
      invocation.proceed();
    } catch (Throwable failure) {
      throw withLog(context, failure);
    }
  }

  @Override
  public <T> T interceptTestClassConstructor(
      Invocation<T> invocation,
      ReflectiveInvocationContext<Constructor<T>> invocationContext,
      ExtensionContext context)
      throws Throwable {
    try {
      return invocation.proceed();
    } catch (Throwable failure) {
      throw withLog(context, failure);
    }
  }

  private static boolean isOutermost(ExtensionContext context) {
    return context.getRequiredTestClass().getEnclosingClass() == null;
  }

  private static Duration processorTime() {
    try {
      String stat = Files.readString(Path.of("/proc/self/stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      long ticks = 0;
      // In user mode and in the kernel, of this process and of its children.
      for (int i = FIRST_TIME; i < FIRST_TIME + 4; i++) {
        ticks += Long.parseLong(fields[i]);
      }
      return Duration.ofMillis(ticks * 1000 / TICKS_PER_SECOND);
    } catch (IOException e) {
      var system =
          (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
      return Duration.ofNanos(system.getProcessCpuTime());
    }
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    throw withLog(context, failure);
  }

  @Override
  public void handleBeforeAllMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    throw withLog(context, failure);
  }

  @Override
  public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    throw withLog(context, failure);
  }

  @Override
  public void handleAfterEachMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    throw withLog(context, failure);
  }

  @Override
  public void handleAfterAllMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    throw withLog(context, failure);
  }

  private static Throwable withLog(ExtensionContext context, Throwable failure) {
    if (FOLDER == null || failure instanceof TestAbortedException) {
      return failure;
    }
    // A dynamic test has no class of its own.
    Class<?> outermost =
        context
            .getTestClass()
            .orElseGet(() -> context.getParent().orElseThrow().getRequiredTestClass());
    while (outermost.getEnclosingClass() != null) {
      outermost = outermost.getEnclosingClass();
    }
    Path log = Path.of(FOLDER, outermost.getName() + "-output.txt");
    String kind = failure instanceof AssertionError ? "" : failure.getClass().getName() + ": ";
    Integer seed = Trials.seed();
    AssertionError located =
        new AssertionError(
            "%s%s%n  in %s%s%n  its log: %s"
                .formatted(
                    kind,
                    failure.getMessage(),
                    context.getDisplayName(),
                    seed == null ? "" : ", seed " + seed,
                    Path.of("").toAbsolutePath().relativize(log)),
            failure.getCause());
    located.setStackTrace(failure.getStackTrace());
    for (Throwable suppressed : failure.getSuppressed()) {
      located.addSuppressed(suppressed);
    }
    return located;
  }
}
