import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import com.linecorp.armeria.client.grpc.GrpcClients;
import com.linecorp.armeria.common.HttpHeaderNames;
import dev.belay.protocol.agent.v1.AgentGatewayGrpc.AgentGatewayStub;
import dev.belay.protocol.agent.v1.AgentMessage;
import dev.belay.protocol.agent.v1.Exit;
import dev.belay.protocol.agent.v1.Finished;
import dev.belay.protocol.agent.v1.Heartbeat;
import dev.belay.protocol.agent.v1.Hello;
import dev.belay.protocol.agent.v1.ServerMessage;
import io.grpc.stub.StreamObserver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Says hello with the id of another worker, the join token and a start in the year 9999:
 * ForgedWorker.java URL JOIN_TOKEN_FILE WORKER_ID SECONDS HELLOS. Prints each answer: WELCOME,
 * REJECT, PAYLOAD with the environment (it then claims success), and CLOSED.
 */
final class ForgedWorker implements StreamObserver<ServerMessage> {
  private static final long YEAR_9999_MS = 253_370_764_800_000L;

  private final CountDownLatch over = new CountDownLatch(1);
  private StreamObserver<AgentMessage> out;

  public static void main(String[] args) throws Exception {
    var gateway =
        GrpcClients.builder("gproto+h2c://" + java.net.URI.create(args[0]).getRawAuthority() + "/")
            .setHeader(
                HttpHeaderNames.AUTHORIZATION,
                "Bearer " + Files.readString(Path.of(args[1])).strip())
            .responseTimeoutMillis(0)
            .maxResponseLength(0)
            .build(AgentGatewayStub.class);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(args[3]));
    int hellos = Integer.parseInt(args[4]);
    for (int i = 0; i < hellos && System.nanoTime() < end; i++) {
      var forged = new ForgedWorker();
      forged.out = gateway.session(forged);
      forged.greet(args[2]);
      long left = hellos == 1 ? end - System.nanoTime() : TimeUnit.SECONDS.toNanos(2);
      forged.reportUntilOver(left);
    }
    System.exit(0);
  }

  private void greet(String worker) {
    // Older servers do not know these fields: a key that is not the worker's, and a number above
    // all
    // others.
    var proof =
        UnknownFieldSet.newBuilder()
            .addField(
                15,
                UnknownFieldSet.Field.newBuilder()
                    .addLengthDelimited(ByteString.copyFrom(new byte[32]))
                    .build())
            .addField(16, UnknownFieldSet.Field.newBuilder().addVarint(1L << 50).build())
            .build();
    var hello =
        Hello.newBuilder()
            .setWorkerId(worker)
            .setSessionId(UUID.randomUUID().toString())
            .setConnection(1)
            .setName("thief")
            .addPools("default")
            .addPools("vault")
            .setSlots(100)
            .setVersion("1")
            .setPlatform("forged")
            .setStartedAtMs(YEAR_9999_MS)
            .setJournalComplete(true)
            .mergeUnknownFields(proof);
    out.onNext(AgentMessage.newBuilder().setHello(hello).build());
  }

  private void reportUntilOver(long nanos) throws InterruptedException {
    long end = System.nanoTime() + nanos;
    for (long number = 1; System.nanoTime() < end; number++) {
      if (over.await(
          Math.min(1_000_000_000L, Math.max(1, end - System.nanoTime())), TimeUnit.NANOSECONDS)) {
        return;
      }
      if (welcomed) {
        out.onNext(
            AgentMessage.newBuilder()
                .setHeartbeat(Heartbeat.newBuilder().setNumber(number).setFreeSlots(100))
                .build());
      }
    }
  }

  private volatile boolean welcomed;

  @Override
  public void onNext(ServerMessage message) {
    switch (message.getKindCase()) {
      case WELCOME -> {
        welcomed = true;
        System.out.println("WELCOME");
      }
      case REJECT ->
          System.out.println(
              "REJECT permanent="
                  + message.getReject().getPermanent()
                  + " "
                  + message.getReject().getReason());
      case ASSIGN ->
          message
              .getAssign()
              .getDispatchesList()
              .forEach(
                  dispatch -> {
                    System.out.println(
                        "PAYLOAD " + dispatch.getTaskId() + " " + dispatch.getEnvMap());
                    var finished =
                        Finished.newBuilder()
                            .setDispatchId(dispatch.getDispatchId())
                            .setStartedAtMs(1)
                            .setEndedAtMs(2)
                            .setExit(Exit.getDefaultInstance())
                            .mergeUnknownFields(taskId(dispatch.getTaskId()));
                    out.onNext(AgentMessage.newBuilder().setFinished(finished).build());
                  });
      default -> {}
    }
  }

  /** Older servers do not know this field either. */
  private static UnknownFieldSet taskId(String task) {
    return UnknownFieldSet.newBuilder()
        .addField(
            12,
            UnknownFieldSet.Field.newBuilder()
                .addLengthDelimited(ByteString.copyFromUtf8(task))
                .build())
        .build();
  }

  @Override
  public void onError(Throwable error) {
    System.out.println("CLOSED " + error);
    over.countDown();
  }

  @Override
  public void onCompleted() {
    System.out.println("CLOSED");
    over.countDown();
  }
}
