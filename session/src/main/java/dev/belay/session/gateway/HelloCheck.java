package dev.belay.session.gateway;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.WorkerId;
import dev.belay.protocol.agent.v1.Held;
import dev.belay.protocol.agent.v1.Hello;
import dev.belay.session.gateway.GatewaySettings.Limits;
import dev.belay.session.wire.Offer;
import dev.belay.session.wire.WireId;
import dev.belay.session.wire.WorkerKey;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks a hello field by field. A bad field is refused permanently, with its name: the same
 * process would send the same again.
 */
record HelloCheck(Limits limits) {

  /** More starts than any worker has, and one more never overflows. */
  private static final long SESSION_NUMBER_MAX = 1L << 53;

  /** An exbibyte. */
  private static final long MEMORY_MAX = 1L << 60;

  /** 100,000 processors. */
  private static final int CPU_MILLIS_MAX = 100_000_000;

  Heard check(Hello hello) {
    var bad = bad(hello);
    if (bad.isPresent()) {
      return bad(hello, bad.get());
    }
    var held = new LinkedHashMap<DispatchId, Held>();
    for (var one : hello.getHeldList()) {
      if (held.put(DispatchId.of(one.getDispatchId()), one) != null) {
        return bad(hello, "held names a dispatch twice");
      }
    }
    return new Heard.Hello(said(hello), hello.getJournalComplete(), hello.getRebooted(), held);
  }

  private static WorkerHello said(Hello hello) {
    var peer =
        new Peer(
            WorkerId.of(hello.getWorkerId()),
            SessionId.of(hello.getSessionId()),
            hello.getConnection());
    var profile =
        new WorkerHello.Profile(
            hello.getName(),
            new Offer(
                hello.getPoolsList(),
                hello.getSlots(),
                hello.getLabelsMap(),
                new LinkedHashSet<>(hello.getCapabilitiesList()),
                new Offer.Resources(hello.getMemoryBytes(), hello.getCpuMillis())),
            hello.getVersion(),
            hello.getPlatform());
    return new WorkerHello(
        peer,
        WorkerKey.of(hello.getKey()).orElseThrow(),
        hello.getSessionNumber(),
        hello.getStartedAtMs(),
        profile);
  }

  private static Heard bad(Hello hello, String why) {
    var worker = hello.getWorkerId();
    return new Heard.BadHello(
        WireId.isUuid(worker) ? Optional.of(WorkerId.of(worker)) : Optional.empty(),
        "hello: " + why);
  }

  private Optional<String> bad(Hello hello) {
    return Stream.of(
            identity(hello),
            number("slots", hello.getSlots(), 1, limits.slotsMax()),
            Listener.isTime(hello.getStartedAtMs())
                ? Optional.<String>empty()
                : Optional.of("started_at_ms is no time"),
            text("name", hello.getName()),
            text("version", hello.getVersion()),
            text("platform", hello.getPlatform()),
            texts("pools", hello.getPoolsList()),
            labels(hello.getLabelsMap()),
            names("capabilities", hello.getCapabilitiesList()),
            number("memory_bytes", hello.getMemoryBytes(), 0, MEMORY_MAX),
            number("cpu_millis", hello.getCpuMillis(), 0, CPU_MILLIS_MAX),
            held(hello.getHeldList()))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Optional<String> identity(Hello hello) {
    if (!WireId.isUuid(hello.getWorkerId())) {
      return Optional.of("worker_id is not a UUID");
    }
    if (!WireId.isUuid(hello.getSessionId())) {
      return Optional.of("session_id is not a UUID");
    }
    if (hello.getKey().isEmpty()) {
      return Optional.of("key is missing. This agent is older than the server: update it");
    }
    if (hello.getKey().size() != WorkerKey.BYTES) {
      return Optional.of("key must have " + WorkerKey.BYTES + " bytes");
    }
    return number("session_number", hello.getSessionNumber(), 1, SESSION_NUMBER_MAX)
        .or(() -> number("connection", hello.getConnection(), 1, Long.MAX_VALUE));
  }

  private static Optional<String> number(String field, long value, long min, long max) {
    return value >= min && value <= max
        ? Optional.empty()
        : Optional.of(field + " must be in " + min + ".." + max + ": " + value);
  }

  private Optional<String> labels(Map<String, String> labels) {
    return names("labels", labels.keySet()).or(() -> texts("labels", labels.values()));
  }

  private Optional<String> names(String field, Collection<String> all) {
    return texts(field, all)
        .or(
            () ->
                all.stream().anyMatch(String::isBlank)
                    ? Optional.of(field + " has an empty name")
                    : Optional.empty());
  }

  private Optional<String> texts(String field, Collection<String> all) {
    if (all.size() > limits.listMax()) {
      return Optional.of(field + " has more than " + limits.listMax() + " entries");
    }
    return all.stream().map(one -> text(field, one)).flatMap(Optional::stream).findFirst();
  }

  private Optional<String> text(String field, String text) {
    if (text.length() > limits.textMax()) {
      return Optional.of(field + " has more than " + limits.textMax() + " characters");
    }
    return text.chars().anyMatch(Character::isISOControl)
        ? Optional.of(field + " contains a control character")
        : Optional.empty();
  }

  private Optional<String> held(Collection<Held> held) {
    if (held.size() > limits.idsMax()) {
      return Optional.of("held has more than " + limits.idsMax() + " entries");
    }
    return held.stream().allMatch(HelloCheck::isHeld)
        ? Optional.empty()
        : Optional.of("held contains a malformed entry");
  }

  private static boolean isHeld(Held held) {
    return WireId.isUuid(held.getDispatchId())
        && WireId.isTask(held.getTaskId())
        && (!held.getAdopted() || held.getPhase() == Held.Phase.RUNNING)
        && switch (held.getPhase()) {
          case PREPARING, RUNNING, ENDED, DIED -> true;
          case PHASE_UNSPECIFIED, UNRECOGNIZED -> false;
        };
  }
}
