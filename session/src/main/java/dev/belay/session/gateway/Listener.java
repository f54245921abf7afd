package dev.belay.session.gateway;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.WorkerId;
import dev.belay.protocol.agent.v1.AgentMessage;
import dev.belay.protocol.agent.v1.Finished;
import dev.belay.protocol.agent.v1.Held;
import dev.belay.protocol.agent.v1.Hello;
import dev.belay.protocol.agent.v1.Report;
import dev.belay.protocol.agent.v1.Started;
import dev.belay.session.gateway.GatewaySettings.Limits;
import dev.belay.session.wire.WireId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Stream;

/**
 * Checks what an agent says, before anything believes it. Texts for people are cut, and cleared of
 * the NUL that PostgreSQL does not store, rather than refused: an outcome that is refused for its
 * detail would come back for ever.
 */
record Listener(Limits limits) {
  /** The end of the year 9999: a later instant is no time of a process. */
  private static final long TIME_MAX_MS = 253_402_300_799_999L;

  Heard hear(AgentMessage message) {
    return switch (message.getKindCase()) {
      case HELLO -> hello(message.getHello());
      case REPORT -> report(message.getReport());
      case ACKED -> acked(message.getAcked().getDispatchIdsList());
      case STARTED -> started(message.getStarted());
      case FINISHED -> finished(message.getFinished());
      case REFUSED -> {
        var refused = message.getRefused();
        yield WireId.isUuid(refused.getDispatchId())
            ? new Heard.Refused(
                DispatchId.of(refused.getDispatchId()), cut(refused.getReason(), limits.textMax()))
            : new Heard.Malformed("refused: malformed dispatch id");
      }
      case DRAINING -> new Heard.Draining();
      case KIND_NOT_SET -> new Heard.Unknown();
    };
  }

  private Heard hello(Hello hello) {
    if (!WireId.isUuid(hello.getWorkerId()) || !WireId.isUuid(hello.getSessionId())) {
      return new Heard.Malformed("hello: malformed worker id or session id");
    }
    if (hello.getConnection() < 1 || hello.getSlots() < 1 || !isTime(hello.getStartedAtMs())) {
      return new Heard.Malformed("hello: connection, slots or start time is out of range");
    }
    if (hello.getPoolsCount() > limits.listMax() || hello.getLabelsCount() > limits.listMax()) {
      return new Heard.Malformed("hello: more than " + limits.listMax() + " pools or labels");
    }
    if (!texts(hello).allMatch(this::isText)) {
      return new Heard.Malformed(
          "hello: a text is longer than " + limits.textMax() + " characters or contains NUL");
    }
    if (hello.getHeldCount() > limits.idsMax()) {
      return new Heard.Malformed("hello: more than " + limits.idsMax() + " dispatches held");
    }
    var held = new LinkedHashMap<DispatchId, Held>();
    for (var one : hello.getHeldList()) {
      if (!isHeld(one) || held.put(DispatchId.of(one.getDispatchId()), one) != null) {
        return new Heard.Malformed("hello: malformed or repeated dispatch in held");
      }
    }
    var worker = WorkerId.of(hello.getWorkerId());
    var session = SessionId.of(hello.getSessionId());
    return new Heard.Hello(new Peer(worker, session, hello.getConnection()), hello, held);
  }

  private static Stream<String> texts(Hello hello) {
    return Stream.of(
            Stream.of(hello.getName(), hello.getVersion(), hello.getPlatform()),
            hello.getPoolsList().stream(),
            hello.getLabelsMap().keySet().stream(),
            hello.getLabelsMap().values().stream())
        .flatMap(texts -> texts);
  }

  private boolean isText(String text) {
    return text.length() <= limits.textMax() && text.indexOf('\0') < 0;
  }

  private static boolean isHeld(Held held) {
    return WireId.isUuid(held.getDispatchId())
        && isTime(held.getStartedAtMs())
        && (!held.getAdopted() || held.getPhase() == Held.Phase.RUNNING)
        && switch (held.getPhase()) {
          case PREPARING, RUNNING, ENDED, DIED -> true;
          case PHASE_UNSPECIFIED, UNRECOGNIZED -> false;
        };
  }

  private Heard report(Report report) {
    if (report.getFreeSlots() < 0
        || !areIds(report.getActiveList())
        || !areIds(report.getPreparingList())) {
      return new Heard.Malformed("report: malformed, or too many active dispatches");
    }
    var active = report.getActiveList().stream().map(DispatchId::of).toList();
    var preparing = report.getPreparingList().stream().map(DispatchId::of).toList();
    return new Heard.Report(
        active,
        new GatewayCommand.Load(
            report.getNumber(),
            preparing,
            report.getFreeSlots(),
            report.getCpuPercent(),
            cut(report.getTrouble(), limits.textMax())));
  }

  private Heard acked(List<String> ids) {
    return areIds(ids)
        ? new Heard.Acked(ids.stream().map(DispatchId::of).toList())
        : new Heard.Malformed("acked: malformed, or too many dispatch ids");
  }

  private boolean areIds(List<String> ids) {
    return ids.size() <= limits.idsMax() && ids.stream().allMatch(WireId::isUuid);
  }

  private static Heard started(Started started) {
    return WireId.isUuid(started.getDispatchId()) && isTime(started.getAtMs())
        ? new Heard.Started(DispatchId.of(started.getDispatchId()), started.getAtMs())
        : new Heard.Malformed("started: malformed dispatch id or time");
  }

  private Heard finished(Finished finished) {
    if (!WireId.isUuid(finished.getDispatchId())
        || !isTime(finished.getStartedAtMs())
        || !isTime(finished.getEndedAtMs())
        || finished.getOutputLostBytes() < 0) {
      return new Heard.Malformed("finished: malformed dispatch id, time or count");
    }
    var clean = finished.toBuilder().setDetail(cut(finished.getDetail(), limits.detailMax()));
    switch (finished.getOutcomeCase()) {
      case EXIT, TIMED_OUT -> {}
      case ABORTED ->
          clean
              .getAbortedBuilder()
              .setReason(cut(finished.getAborted().getReason(), limits.textMax()));
      case START_FAILED ->
          clean
              .getStartFailedBuilder()
              .setMessage(cut(finished.getStartFailed().getMessage(), limits.textMax()));
      case OUTCOME_NOT_SET -> {
        return new Heard.Malformed("finished: no outcome");
      }
    }
    return new Heard.Finished(DispatchId.of(finished.getDispatchId()), clean.build());
  }

  private static boolean isTime(long ms) {
    return ms >= 0 && ms <= TIME_MAX_MS;
  }

  private static String cut(String text, int max) {
    var clean = text.replace('\0', ' ');
    if (clean.length() <= max) {
      return clean;
    }
    // not between the two halves of one character
    return clean.substring(0, Character.isHighSurrogate(clean.charAt(max - 1)) ? max - 1 : max);
  }
}
