package dev.belay.fuzz.make;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import dev.belay.fuzz.request.Request.Credential;
import dev.belay.fuzz.request.Request.End;
import dev.belay.fuzz.request.Request.Worker;
import dev.belay.protocol.agent.v1.Acked;
import dev.belay.protocol.agent.v1.AgentMessage;
import dev.belay.protocol.agent.v1.Draining;
import dev.belay.protocol.agent.v1.Finished;
import dev.belay.protocol.agent.v1.Heartbeat;
import dev.belay.protocol.agent.v1.Held;
import dev.belay.protocol.agent.v1.Hello;
import dev.belay.protocol.agent.v1.LogChunk;
import dev.belay.protocol.agent.v1.Refused;
import dev.belay.protocol.agent.v1.Started;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Makes worker messages: out of order, forged, too large, or not messages at all. */
final class WorkerMaker {

  static final String SESSION = "/belay.agent.v1.AgentGateway/Session";
  static final String LOGS = "/belay.agent.v1.AgentGateway/ShipLogs";

  /** No task uses this pool, so a fuzzed worker never gets one. */
  private static final String POOL = "fuzzed";

  private static final int KEY_BYTES = 32;

  private WorkerMaker() {}

  /**
   * @param joins whether to allow a hello that the server may accept
   */
  static Worker of(Dice dice, boolean joins) {
    boolean logs = dice.oneIn(4);
    boolean decodable = !dice.oneIn(3);
    var frames = new ArrayList<byte[]>();
    if (logs) {
      int chunks = dice.between(1, 4);
      for (int i = 0; i < chunks; i++) {
        frames.add(frame(chunk(dice)));
      }
    } else {
      if (joins && !dice.oneIn(4)) {
        frames.add(frame(hello(dice)));
      }
      int messages = dice.between(1, 6);
      for (int i = 0; i < messages; i++) {
        frames.add(frame(message(dice, joins)));
      }
    }
    if (!decodable) {
      frames.add(dice.below(frames.size() + 1), garbage(dice));
    }
    Credential credential =
        joins || dice.oneIn(2)
            ? Credential.JOIN
            : dice.oneOf(Credential.API, Credential.WRONG, Credential.NONE);
    End end = dice.oneOf(End.HALF_CLOSE, End.HALF_CLOSE, End.RESET, End.UNREAD);
    String method =
        dice.oneIn(20)
            ? dice.oneOf("/belay.agent.v1.AgentGateway/Nope", "/x/y")
            : logs ? LOGS : SESSION;
    return new Worker(method, credential, frames, decodable, end);
  }

  private static AgentMessage message(Dice dice, boolean joins) {
    var message = AgentMessage.newBuilder();
    switch (dice.below(joins ? 9 : 8)) {
      case 0 -> message.setHeartbeat(heartbeat(dice));
      case 1 -> message.setAcked(Acked.newBuilder().addAllDispatchIds(ids(dice)));
      case 2 ->
          message.setStarted(
              Started.newBuilder()
                  .setDispatchId(id(dice))
                  .setTaskId(id(dice))
                  .setAtMs(time(dice))
                  .setPid(dice.any()));
      case 3 -> message.setFinished(finished(dice));
      case 4 ->
          message.setRefused(
              Refused.newBuilder()
                  .setDispatchId(id(dice))
                  .setTaskId(id(dice))
                  .setReason(text(dice)));
      case 5 -> message.setDraining(Draining.getDefaultInstance());
      case 6 -> {
        // No kind.
      }
      case 7 ->
          message.setStarted(
              Started.newBuilder().setDispatchId(dice.uuid()).setTaskId(dice.uuid()).setAtMs(1));
      default -> message.setHello(hello(dice).getHello());
    }
    return message.build();
  }

  /** A hello that the server accepts. */
  private static Hello.Builder plainHello(Dice dice) {
    return Hello.newBuilder()
        .setWorkerId(dice.uuid())
        .setSessionId(dice.uuid())
        .setConnection(1)
        .setName("fuzzed-" + dice.below(10_000))
        .addPools(POOL)
        .setSlots(2)
        .setVersion("1")
        .setPlatform("test")
        .setStartedAtMs(1_790_000_000_000L)
        .setJournalComplete(dice.oneIn(2))
        .setKey(ByteString.copyFrom(dice.bytes(KEY_BYTES)))
        .setSessionNumber(1);
  }

  private static AgentMessage hello(Dice dice) {
    if (dice.oneIn(2)) {
      return AgentMessage.newBuilder().setHello(plainHello(dice)).build();
    }
    var hello =
        plainHello(dice)
            .setConnection(dice.oneIn(6) ? dice.any() : 1)
            .setSlots(dice.oneIn(6) ? dice.oneOf(0, -1, Integer.MAX_VALUE, Integer.MIN_VALUE) : 2)
            .setStartedAtMs(dice.oneIn(6) ? time(dice) : 1_790_000_000_000L)
            .setSessionNumber(dice.oneIn(6) ? dice.oneOf(0L, -1L, Long.MAX_VALUE) : 1)
            .setRebooted(dice.oneIn(4));
    if (dice.oneIn(6)) {
      hello.setWorkerId(id(dice));
    }
    if (dice.oneIn(6)) {
      hello.setSessionId(id(dice));
    }
    if (dice.oneIn(6)) {
      hello.setKey(ByteString.copyFrom(dice.bytes(dice.oneOf(0, 1, 31, 33, 5_000))));
    }
    if (dice.oneIn(6)) {
      hello.setName(text(dice)).setVersion(text(dice)).setPlatform(text(dice));
    }
    if (dice.oneIn(6)) {
      hello.putLabels(text(dice), text(dice));
    }
    if (dice.oneIn(6)) {
      hello.addPools(text(dice));
    }
    if (dice.oneIn(40)) {
      for (int i = 0; i < dice.oneOf(1_000, 100_000); i++) {
        hello.addPools("p" + i);
      }
    }
    if (dice.oneIn(6)) {
      int held = dice.oneIn(10) ? 5_000 : dice.between(1, 5);
      for (int i = 0; i < held; i++) {
        hello.addHeld(
            Held.newBuilder()
                .setDispatchId(id(dice))
                .setTaskId(id(dice))
                .setPhaseValue(dice.between(-1, 6)));
      }
    }
    return AgentMessage.newBuilder().setHello(hello).build();
  }

  private static Heartbeat heartbeat(Dice dice) {
    return Heartbeat.newBuilder()
        .setNumber(dice.oneOf(0L, 1L, -1L, Long.MAX_VALUE, dice.any()))
        .addAllActive(ids(dice))
        .addAllPreparing(ids(dice))
        .setFreeSlots(dice.oneOf(0, 1, -5, Integer.MAX_VALUE))
        .setTrouble(dice.oneIn(4) ? text(dice) : "")
        .setCpuPercent(dice.oneOf(0.0, Double.NaN, Double.POSITIVE_INFINITY, -1e308))
        .build();
  }

  private static Finished finished(Dice dice) {
    var finished =
        Finished.newBuilder()
            .setDispatchId(id(dice))
            .setTaskId(id(dice))
            .setStartedAtMs(time(dice))
            .setEndedAtMs(time(dice));
    outcome(dice, finished);
    return finished
        .setDetail(dice.oneIn(10) ? "x".repeat(dice.oneOf(5_000, 2_000_000)) : text(dice))
        .build();
  }

  /** Sometimes none. */
  private static void outcome(Dice dice, Finished.Builder finished) {
    switch (dice.below(6)) {
      case 0, 1 ->
          finished
              .getExitBuilder()
              .setCode(dice.oneOf(0, 1, -1, Integer.MAX_VALUE))
              .setSignal(dice.oneOf(0, 9, -9));
      case 2 -> finished.getTimedOutBuilder().setLimitMs(limit(dice));
      case 3 -> finished.getStalledBuilder().setLimitMs(limit(dice));
      case 4 -> finished.getAbortedBuilder().setReason(text(dice));
      default -> {}
    }
  }

  private static long limit(Dice dice) {
    return dice.oneOf(0L, 1L, -1L, Long.MAX_VALUE, Long.MIN_VALUE, dice.any());
  }

  private static LogChunk chunk(Dice dice) {
    return LogChunk.newBuilder()
        .setDispatchId(id(dice))
        .setTaskId(id(dice))
        .setOffset(dice.oneOf(0L, -1L, Long.MAX_VALUE, 10L, dice.any()))
        .setData(ByteString.copyFrom(dice.bytes(dice.oneIn(20) ? 300_000 : dice.below(200))))
        .setLast(dice.oneIn(4))
        .setKnownLength(dice.oneOf(0L, -1L, Long.MAX_VALUE))
        .setLeftOut(dice.oneOf(0L, -1L, Long.MAX_VALUE))
        .build();
  }

  private static List<String> ids(Dice dice) {
    var ids = new ArrayList<String>();
    int count = dice.oneIn(30) ? 5_000 : dice.below(4);
    for (int i = 0; i < count; i++) {
      ids.add(id(dice));
    }
    return ids;
  }

  /** An id that does not exist: messages about real work may change its state. */
  private static String id(Dice dice) {
    return dice.oneIn(3) ? text(dice) : dice.uuid();
  }

  /** Protobuf rejects invalid Unicode before sending. */
  private static String text(Dice dice) {
    return new String(Texts.hostile(dice).getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  private static long time(Dice dice) {
    return dice.oneOf(
        0L, -1L, 1L, 253_402_300_799_999L, Long.MAX_VALUE, Long.MIN_VALUE, 1_790_000_000_000L);
  }

  private static byte[] garbage(Dice dice) {
    byte[] bytes = dice.bytes(dice.between(1, 200));
    return switch (dice.below(5)) {
      // A frame with a wrong length, one marked compressed, random protobuf, half a prefix.
      case 0 ->
          ByteBuffer.allocate(5 + bytes.length)
              .put((byte) 0)
              .putInt(dice.oneOf(Integer.MAX_VALUE, -1, bytes.length + 9))
              .put(bytes)
              .array();
      case 1 ->
          ByteBuffer.allocate(5 + bytes.length)
              .put(dice.oneOf((byte) 1, (byte) 2, (byte) 255))
              .putInt(bytes.length)
              .put(bytes)
              .array();
      case 2, 3 -> framed(bytes);
      default -> new byte[] {0, 0, 0};
    };
  }

  private static byte[] frame(MessageLite message) {
    return framed(message.toByteArray());
  }

  private static byte[] framed(byte[] bytes) {
    return ByteBuffer.allocate(5 + bytes.length)
        .put((byte) 0)
        .putInt(bytes.length)
        .put(bytes)
        .array();
  }
}
