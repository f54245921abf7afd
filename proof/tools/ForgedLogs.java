import com.google.protobuf.ByteString;
import com.linecorp.armeria.client.grpc.GrpcClients;
import dev.belay.protocol.agent.v1.AgentGatewayGrpc.AgentGatewayStub;
import dev.belay.protocol.agent.v1.LogAck;
import dev.belay.protocol.agent.v1.LogChunk;
import io.grpc.stub.StreamObserver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Writes into the logs of another worker: ForgedLogs.java URL JOIN_TOKEN_FILE WORKER_FOLDER
 * VICTIM_DISPATCH SECONDS. It has the join token, and it is a worker itself when the folder holds
 * an identity ("-" for none). It appends to the victim's log, seals it, invents dispatches for
 * SECONDS, and prints how much of each the server accepted.
 */
final class ForgedLogs {

  private static final String TASK = "00000000-0000-7000-8000-000000000000";

  private final AgentGatewayStub gateway;
  private LinkedBlockingQueue<Object> answers = new LinkedBlockingQueue<>();
  private StreamObserver<LogChunk> stream;

  private ForgedLogs(AgentGatewayStub gateway) {
    this.gateway = gateway;
  }

  public static void main(String[] args) throws Exception {
    var client =
        GrpcClients.builder("gproto+" + args[0].replaceFirst("^http:", "h2c:"))
            .setHeader("authorization", "Bearer " + Files.readString(Path.of(args[1])).strip())
            .responseTimeoutMillis(0)
            .maxResponseLength(0);
    if (!args[2].equals("-")) {
      // The key of a worker that joined; older servers have no key and read no header.
      var folder = Path.of(args[2]);
      client.setHeader("belay-worker-id", Files.readString(folder.resolve("worker-id")).strip());
      client.setHeader("belay-session-id", UUID.randomUUID().toString());
      if (Files.exists(folder.resolve("worker-key"))) {
        client.setHeader(
            "belay-worker-key", Files.readString(folder.resolve("worker-key")).strip());
      }
    }
    new ForgedLogs(client.build(AgentGatewayStub.class)).attack(args[3], Integer.parseInt(args[4]));
    System.exit(0);
  }

  private void attack(String victim, int seconds) throws Exception {
    // Finds the end of the log: the server answers a chunk beyond the end with the length.
    Object at = send(victim, Long.MAX_VALUE, "", false);
    long length = at instanceof LogAck ack ? ack.getLength() : 0;
    Object appended = send(victim, length, "FORGED LINE\n", false);
    System.out.println(
        "append "
            + (isStored(appended, length + 12) ? "stored" : "refused")
            + " "
            + text(appended));
    Object sealed = send(victim, length + 12, "", true);
    System.out.println(
        "seal " + (isStored(sealed, length + 12) ? "stored" : "refused") + " " + text(sealed));
    for (String id : new String[] {"../../../../tmp/forged", victim + "/../x", ""}) {
      System.out.println("path " + text(send(id, 0, "x", true)));
    }
    System.out.println("negative " + text(send(victim, -1, "x", false)));
    int sent = 0;
    int stored = 0;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (System.nanoTime() < end) {
      stored += isStored(send(invented(), 0, "invented\n", sent % 2 == 0), 9) ? 1 : 0;
      sent++;
    }
    System.out.println("invented " + sent + " stored " + stored);
  }

  private static String invented() {
    var random = ThreadLocalRandom.current();
    long first =
        System.currentTimeMillis() - random.nextInt(3_600_000) << 16
            | 0x7000
            | random.nextInt(0x1000);
    return new UUID(first, random.nextLong() >>> 2 | Long.MIN_VALUE).toString();
  }

  private static boolean isStored(Object answer, long length) {
    return answer instanceof LogAck ack && ack.getLength() >= length;
  }

  private static String text(Object answer) {
    return answer instanceof LogAck ack
        ? "length " + ack.getLength() + (ack.getFull() ? " full" : "")
        : String.valueOf(answer);
  }

  /** The answer, or the error that ended the stream; the next chunk then uses a new stream. */
  private Object send(String dispatch, long offset, String data, boolean last) throws Exception {
    for (int tries = 0; ; tries++) {
      if (stream == null) {
        open();
      }
      answers.removeIf(each -> each instanceof LogAck ack && ack.getDispatchId().isEmpty());
      try {
        stream.onNext(
            LogChunk.newBuilder()
                .setDispatchId(dispatch)
                .setTaskId(TASK)
                .setOffset(offset)
                .setData(ByteString.copyFromUtf8(data))
                .setLast(last)
                .build());
      } catch (RuntimeException ended) {
        // The answers carry the result.
      }
      for (Object answer = take(); ; answer = take()) {
        if (!(answer instanceof LogAck ack)) {
          stream = null;
          // The stream of the chunk before may have ended in between.
          if (tries == 0 && String.valueOf(answer).contains("ABORTED")) {
            break;
          }
          return answer;
        }
        if (!ack.getDispatchId().isEmpty()) {
          return ack;
        }
      }
    }
  }

  private Object take() throws InterruptedException {
    Object answer = answers.poll(10, TimeUnit.SECONDS);
    return answer == null ? "no answer in 10 s" : answer;
  }

  private void open() {
    var mine = new LinkedBlockingQueue<Object>();
    answers = mine;
    stream =
        gateway.shipLogs(
            new StreamObserver<>() {
              @Override
              public void onNext(LogAck ack) {
                mine.add(ack);
              }

              @Override
              public void onError(Throwable error) {
                mine.add(String.valueOf(error.getMessage()));
              }

              @Override
              public void onCompleted() {
                mine.add("completed");
              }
            });
  }
}
