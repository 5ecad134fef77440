package dev.quiver.server.events;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.parallel.Admission;
import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.http.PreferredWait;
import dev.quiver.store.Datasets;
import dev.quiver.store.catalog.VersionWatch;
import dev.quiver.store.version.VersionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.context.SmartLifecycle;

/// The requests that wait for the next version of a dataset. None of them has a thread: each is
/// dispatched again when its wait is over.
///
/// A graceful shutdown waits for requests. These end before it begins.
public final class WaitingRequests implements SmartLifecycle, AutoCloseable {

  private final VersionWatch watch;
  private final long maximumSeconds;
  private final Admission places;
  private final Set<WaitingRequest> waiting = ConcurrentHashMap.newKeySet();
  private final ScheduledThreadPoolExecutor timer;
  private final ListenerTurns turns;
  private volatile boolean running;

  /// @param limit the limit on the number of requests
  public WaitingRequests(
      Datasets datasets, QuiverProperties properties, Limit limit, MeterRegistry registry) {
    this.watch = datasets.watch();
    this.maximumSeconds = properties.limits().waitSeconds();
    this.places =
        new Admission(
            OverloadedException.sentence(limit, "waiting requests"),
            Math.toIntExact(limit.maximum()),
            /* queueMaximum= */ 0,
            Duration.ZERO);
    this.timer =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().name("waiting-requests").daemon().factory());
    timer.setRemoveOnCancelPolicy(true);
    this.turns = new ListenerTurns(timer);
    Gauge.builder("quiver.waiting.requests", places, Admission::takenCount).register(registry);
  }

  /// Returns how long a request wants to wait.
  public PreferredWait preferred(HttpServletRequest request) {
    return PreferredWait.of(request, maximumSeconds);
  }

  /// Lets a request wait until the data of a dataset differs from `seen`, unless its wait is over.
  /// The request is then dispatched again, and may wait for the rest of its time.
  ///
  /// The wait also ends with its time, when the client closes its side of the connection, and when
  /// the service stops.
  ///
  /// @param latest when the wait ends whatever the client prefers
  /// @return false if the caller must respond now
  /// @throws OverloadedException if too many requests wait
  public boolean await(
      HttpServletRequest request,
      HttpServletResponse response,
      PreferredWait wait,
      Instant latest,
      VersionSummary seen)
      throws IOException {
    if (wait.seconds() == 0 || isOver(request)) {
      return false;
    }
    Permit place = enter();
    WaitingRequest added =
        new WaitingRequest(
            request,
            ended -> {
              waiting.remove(ended);
              place.close();
            },
            Runnable::run);
    waiting.add(added);
    added.start(response, null);
    added.waitFor(watch.await(seen, _ -> added.proceed()));
    long end = RequestWaits.of(request).startNanos() + TimeUnit.SECONDS.toNanos(wait.seconds());
    long permitted = Math.max(0, Instant.now().until(latest, ChronoUnit.SECONDS));
    long nanos = Math.min(end - System.nanoTime(), TimeUnit.SECONDS.toNanos(permitted));
    added.waitFor(timer.schedule(added::end, nanos, TimeUnit.NANOSECONDS));
    endIfStopped(added);
    return true;
  }

  /// Lets the stream of a request wait for versions after those it has sent. The request is then
  /// dispatched again.
  ///
  /// @param nanos the time after which it is dispatched without a version
  void await(
      EventStream stream, HttpServletRequest request, HttpServletResponse response, long nanos) {
    WaitingRequest added =
        new WaitingRequest(
            request,
            waiting::remove,
            dispatch ->
                turns.add(turn -> {
                  stream.starts(turn);
                  dispatch.run();
                }));
    waiting.add(added);
    added.start(response, stream.listener());
    added.waitFor(
        watch.await(
            stream.seen(),
            latest -> {
              stream.changed(latest);
              added.proceed();
            }));
    added.waitFor(timer.schedule(added::proceed, nanos, TimeUnit.NANOSECONDS));
    endIfStopped(added);
  }

  /// Returns whether a request must not wait any longer.
  boolean isOver(HttpServletRequest request) {
    return RequestWaits.of(request).isOver() || !running;
  }

  private void endIfStopped(WaitingRequest added) {
    if (!running) {
      added.end();
    }
  }

  /// Takes a place among the waiting requests.
  ///
  /// @throws OverloadedException if none is left
  Permit enter() throws IOException {
    return places.enter();
  }

  /// Stops before the web server does.
  @Override
  public int getPhase() {
    return DEFAULT_PHASE;
  }

  @Override
  public void start() {
    running = true;
  }

  @Override
  public void stop() {
    running = false;
    waiting.forEach(WaitingRequest::end);
  }

  /// Ends the thread that measures time.
  @Override
  public void close() {
    timer.shutdownNow();
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}
