package dev.quiver.server.write;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.parallel.Admission;
import dev.quiver.arrow.parallel.Claimant;
import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.server.access.Access;
import dev.quiver.server.access.PrincipalMetrics;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.config.UploadsProperties;
import dev.quiver.server.http.MediaTypes;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemException;
import dev.quiver.server.http.ProblemType;
import dev.quiver.server.http.UploadLimit;
import dev.quiver.server.resource.Paths;
import dev.quiver.store.access.PrincipalLimits;
import dev.quiver.store.log.ResumableUpload;
import dev.quiver.store.log.ResumableUpload.Outcome;
import dev.quiver.store.log.UploadStore;
import dev.quiver.store.log.UploadStore.Owner;
import dev.quiver.store.log.UploadStore.Stored;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;

/// Uploads that arrive in several requests: their start, their parts, and how far they are. Any
/// service that shares the store continues them.
@RestController
final class UploadsController {

  private static final int TOO_MANY_REQUESTS = 429;

  private final UploadStore store;
  private final PartReceiver receiver;
  private final UploadCommit commit;
  private final UploadsProperties properties;
  private final PrincipalMetrics principals;
  private final Limit byteSize;
  private final long idleSeconds;
  private final Counter begun;
  private final Counter canceled;
  private final Turn.Turns turns = new Turn.Turns();

  UploadsController(
      UploadStore store,
      PartReceiver receiver,
      UploadCommit commit,
      QuiverProperties properties,
      PrincipalMetrics principals,
      MeterRegistry registry) {
    this.principals = principals;
    this.store = store;
    this.receiver = receiver;
    this.commit = commit;
    this.properties = properties.uploads();
    this.byteSize = properties.limits().request();
    this.idleSeconds = properties.limits().idleSeconds();
    this.begun = registry.counter("quiver.uploads.resumable.begun");
    this.canceled = registry.counter("quiver.uploads.resumable", "end", "canceled");
  }

  @PutMapping(path = Paths.DATASET, headers = UploadHeaders.COMPLETE)
  void put(HttpServletRequest request, HttpServletResponse response) throws IOException {
    start(request, response);
  }

  @PostMapping(
      path = {Paths.DATASETS, Paths.DATASET},
      headers = UploadHeaders.COMPLETE)
  void post(HttpServletRequest request, HttpServletResponse response) throws IOException {
    start(request, response);
  }

  private void start(HttpServletRequest request, HttpServletResponse response) throws IOException {
    negotiate(request, response);
    boolean complete = UploadHeaders.complete(request);
    Long whole = UploadHeaders.byteSize(request, 0, complete);
    if (whole != null) {
      byteSize.check(whole, "bytes of an upload", InputLocation.UNKNOWN);
    }
    ResumableUpload.Request first = FirstRequest.of(request);
    commit.check(first, request);
    Owner owner = new Owner(Access.of(request).principal().id(), Claimant.current().id());
    boolean placed = findPlace(owner, Access.of(request).limits().uploads(), complete);
    Stored created = store.create(owner, first, whole, Instant.now());
    begun.increment();
    String id = created.upload().id();
    String location = Paths.UPLOADS + "/" + id;
    try (Turn turn = turns.take(id)) {
      Stored received = receiver.receive(created, request, turn);
      if (complete || received.upload().isWhole()) {
        finish(received, request, response, turn, location);
        return;
      }
      response.setStatus(HttpServletResponse.SC_CREATED);
      response.setHeader("Location", location);
      describe(received.upload(), response);
    } catch (IOException | RuntimeException e) {
      boolean canBeNamed =
          placed
              && e instanceof ProblemException failure
              && failure.problem().headers().containsKey("Location");
      if (!canBeNamed) {
        discard(id, e);
      }
      throw e;
    }
  }

  /// Finds a place among the open uploads. One without any byte makes room, first of the client
  /// itself if it has its share: three quarters of the places that others leave.
  ///
  /// @param complete whether the request has the whole body, which needs a place only if it fails
  /// @return false if the upload has no place, but needs none
  /// @throws OverloadedException if none is free
  /// @throws ProblemException 429 if the principal has too many
  private boolean findPlace(Owner owner, Limit ownOpen, boolean complete) throws IOException {
    int maximum = properties.open();
    int openCount = store.openCount(maximum);
    int ownCount = store.openCountOf(owner, maximum);
    int left = maximum - (openCount - ownCount);
    int share = Claimant.current().isAlone() ? maximum : Admission.shareMaximum(left);
    boolean isFull = openCount >= maximum;
    boolean hasShare = ownCount >= share;
    boolean hasOwnMaximum =
        PrincipalLimits.isSet(ownOpen) && store.hasManyOf(owner.principal(), ownOpen.maximum());
    if (complete) {
      return !isFull && !hasShare && !hasOwnMaximum;
    }
    if (hasOwnMaximum) {
      throw principals.reject(ownOpen).asException();
    }
    if ((isFull || hasShare) && !makeRoom(hasShare ? owner : null)) {
      throw new OverloadedException(
          "Expected fewer than %d open uploads%s (quiver.uploads.open) but found as many"
              .formatted(isFull ? maximum : share, isFull ? "" : " of one client"));
    }
    return true;
  }

  /// Deletes an upload without any byte that no request continues, and that was not just begun.
  ///
  /// @param owner the one whose uploads may make room, or null for all
  private boolean makeRoom(@Nullable Owner owner) throws IOException {
    Instant before = Instant.now().minusSeconds(idleSeconds);
    return store.deleteEmpty(owner, before, id -> !turns.isTaken(id));
  }

  /// Deletes an upload that its client cannot name, as its first request has failed.
  private void discard(String id, Exception failure) {
    try {
      Stored found = store.find(id);
      if (found != null && found.upload().outcome() == null) {
        store.delete(found);
      }
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  @RequestMapping(path = Paths.UPLOAD, method = RequestMethod.HEAD)
  void offset(
      @PathVariable("upload") String id, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    negotiate(request, response);
    ResumableUpload known = known(id, request).upload();
    if (!isOwner(known, request)) {
      // The request that continues it is not overtaken, and nothing is stored.
      response.setStatus(HttpServletResponse.SC_NO_CONTENT);
      describe(known, response);
      return;
    }
    try (Turn turn = turns.take(id)) {
      Stored found = unclaimed(owned(id, request));
      ResumableUpload upload = found.upload();
      if (upload.isWhole() && upload.outcome() == null) {
        // The service that had to store it was killed, or could not. A client that finds all bytes
        // here asks no longer.
        finishLate(found, request, response, turn);
        upload = upload.completed(Instant.now());
      } else if (upload.outcome() == null) {
        overtaking(found, upload);
      }
      response.setStatus(HttpServletResponse.SC_NO_CONTENT);
      describe(upload, response);
    }
  }

  /// Stores an upload for a client that only asks how far it is.
  ///
  /// @throws ProblemException 423 if it cannot be stored now, since a client that gets another
  ///   failure begins a new upload; the rejection if it never can be
  private void finishLate(
      Stored found, HttpServletRequest request, HttpServletResponse response, Turn turn)
      throws IOException {
    try {
      commit(found, request, response, turn, /* location= */ null);
    } catch (ProblemException e) {
      if (UploadProblems.isOvertaken(e.problem())) {
        // Another service has got a request meanwhile.
        throw UploadProblems.locked();
      }
      int status = e.problem().status();
      boolean mayPass =
          status >= HttpServletResponse.SC_INTERNAL_SERVER_ERROR || status == TOO_MANY_REQUESTS;
      throw mayPass ? UploadProblems.notStoredYet() : e;
    }
  }

  @PatchMapping(Paths.UPLOAD)
  void append(
      @PathVariable("upload") String id, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    InteropVersion version = negotiate(request, response);
    owned(id, request);
    String type = UploadHeaders.mediaType(request);
    if (!version.accepts(type)) {
      throw Problem.of(
              ProblemType.UNSUPPORTED_MEDIA_TYPE,
              "Expected %s but found %s at header Content-Type"
                  .formatted(MediaTypes.PARTIAL_UPLOAD, type == null ? "none" : type))
          .withHint("Send Content-Type: %s.".formatted(MediaTypes.PARTIAL_UPLOAD))
          .withHeader("Accept-Patch", MediaTypes.PARTIAL_UPLOAD)
          .asException();
    }
    boolean complete = UploadHeaders.complete(request);
    long offset = UploadHeaders.offset(request);
    try (Turn turn = turns.take(id)) {
      Stored found = unclaimed(owned(id, request));
      ResumableUpload upload = found.upload();
      if (upload.complete()) {
        if (!complete || offset != upload.offset() || request.getContentLengthLong() > 0) {
          throw UploadProblems.completed(upload.offset());
        }
        finish(found, request, response, turn, /* location= */ null);
        return;
      }
      if (offset != upload.offset()) {
        throw UploadProblems.mismatch(upload.offset(), offset);
      }
      Stored mine = continued(found, UploadHeaders.byteSize(request, offset, complete));
      Stored received = receiver.receive(mine, request, turn);
      if (complete || received.upload().isWhole()) {
        finish(received, request, response, turn, /* location= */ null);
        return;
      }
      response.setStatus(HttpServletResponse.SC_NO_CONTENT);
      describe(received.upload(), response);
    }
  }

  @DeleteMapping(Paths.UPLOAD)
  void cancel(
      @PathVariable("upload") String id, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    negotiate(request, response);
    known(id, request);
    try (Turn turn = turns.take(id)) {
      turn.beginCommit();
      if (!store.delete(unclaimed(known(id, request)))) {
        throw UploadProblems.locked();
      }
    }
    canceled.increment();
    response.setStatus(HttpServletResponse.SC_NO_CONTENT);
  }

  /// Overtakes requests that other services receive, and fixes the size of the whole body once it
  /// is known.
  private Stored continued(Stored found, @Nullable Long whole) throws IOException {
    Long known = found.upload().byteSize();
    if (whole == null || whole.equals(known)) {
      return overtaking(found, found.upload().touched(Instant.now()));
    }
    if (known != null) {
      throw UploadProblems.inconsistent(known, whole);
    }
    if (whole < found.upload().offset()) {
      throw UploadProblems.inconsistent(whole, found.upload().offset());
    }
    byteSize.check(whole, "bytes of an upload", InputLocation.UNKNOWN);
    return overtaking(found, found.upload().sized(whole, Instant.now()));
  }

  /// Puts another state, after which bytes that another service still receives do not count.
  private Stored overtaking(Stored found, ResumableUpload next) throws IOException {
    Stored put = store.put(next, found.revision());
    if (put == null) {
      throw UploadProblems.locked();
    }
    return put;
  }

  /// @param location the path of the upload if its client does not know it yet, or null
  private void finish(
      Stored received,
      HttpServletRequest request,
      HttpServletResponse response,
      Turn turn,
      @Nullable String location)
      throws IOException {
    Outcome outcome = commit(received, request, response, turn, location);
    // A client that goes on at once finds no other request.
    turn.close();
    WriteResponse.send(response, outcome);
  }

  private Outcome commit(
      Stored received,
      HttpServletRequest request,
      HttpServletResponse response,
      Turn turn,
      @Nullable String location)
      throws IOException {
    ResumableUpload upload = received.upload();
    Long expected = upload.byteSize();
    if (expected != null && expected != upload.offset()) {
      throw UploadProblems.inconsistent(expected, upload.offset());
    }
    turn.beginCommit();
    return commit.store(received, request, response, location);
  }

  /// @throws ProblemException 423 if another service stores or deletes the upload
  private static Stored unclaimed(Stored found) {
    if (found.upload().isClaimed(Instant.now())) {
      throw UploadProblems.locked();
    }
    return found;
  }

  /// Returns an upload that the principal of a request began, and so may continue: it is stored
  /// with the permissions of the request that completes it.
  ///
  /// @throws ProblemException 404 also if another principal began it
  private Stored owned(String id, HttpServletRequest request) throws IOException {
    Stored found = known(id, request);
    if (!isOwner(found.upload(), request)) {
      throw UploadProblems.notFound(Paths.UPLOADS + "/" + id);
    }
    return found;
  }

  private static boolean isOwner(ResumableUpload upload, HttpServletRequest request) {
    return Access.of(request).principal().id().equals(upload.principal());
  }

  /// Returns an upload that the principal of a request may know of, and cancel.
  ///
  /// @throws ProblemException 404 also if another principal began it
  private Stored known(String id, HttpServletRequest request) throws IOException {
    Stored found = store.find(id);
    if (found == null
        || !Access.of(request).principal().mayCancelJobOf(found.upload().principal())) {
      throw UploadProblems.notFound(Paths.UPLOADS + "/" + id);
    }
    ResumableUpload.Request first = found.upload().request();
    Access.of(request).recordDatasetOf(first.method(), FirstRequest.path(first));
    return found;
  }

  /// Returns the version of a request. Every response, also that of a failure, has the limits.
  private InteropVersion negotiate(HttpServletRequest request, HttpServletResponse response) {
    InteropVersion version = InteropVersion.of(request, response);
    response.setHeader(UploadLimit.NAME, version.limits(byteSize.maximum(), properties));
    return version;
  }

  private static void describe(ResumableUpload upload, HttpServletResponse response) {
    response.setHeader(UploadHeaders.OFFSET, Long.toString(upload.offset()));
    response.setHeader(UploadHeaders.COMPLETE, upload.complete() ? "?1" : "?0");
    if (upload.byteSize() != null) {
      response.setHeader(UploadHeaders.LENGTH, Long.toString(upload.byteSize()));
    }
    response.setHeader("Cache-Control", "no-store");
  }
}
