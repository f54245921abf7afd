package dev.belay.benchmarks.worker;

import dev.belay.agent.Agent;
import dev.belay.agent.AgentBounds;
import dev.belay.agent.AgentSettings;
import dev.belay.agent.handler.Handler;
import dev.belay.agent.process.TaskAccount;
import dev.belay.agent.state.ReserveSettings;
import dev.belay.protocol.agent.v1.Dispatch;
import dev.belay.session.wire.Offer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/**
 * The real agent with a handler that does nothing. Orders: {@code count} returns the number of
 * tasks it ran; {@code watch} makes it record when each task starts; {@code times} prints and
 * forgets these as {@code task=microseconds} of the machine's clock.
 */
public final class NoopWorker implements Handler {

  private final LongAdder ran = new LongAdder();
  private final Queue<String> times = new ConcurrentLinkedQueue<>();
  private volatile boolean watching;

  private NoopWorker() {}

  /**
   * @param args server, file with the join token, folder, slots
   */
  public static void main(String[] args) throws Exception {
    PrintStream answers = System.out;
    System.setOut(System.err);
    var handler = new NoopWorker();
    var settings =
        new AgentSettings(
            "noop",
            List.of(URI.create(args[0])),
            Path.of(args[1]),
            Path.of(args[2]),
            new Offer(List.of("bench"), Integer.parseInt(args[3]), Map.of()),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            10L << 20,
            TaskAccount.SAME,
            ReserveSettings.defaults(),
            AgentBounds.defaults());
    try (var agent = Agent.start(settings, handler);
        var orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      var _ = agent.gaveUp().thenAccept(System.err::println);
      for (String order = orders.readLine(); order != null; order = orders.readLine()) {
        answers.println(handler.obey(order));
      }
    }
    System.exit(0);
  }

  private String obey(String order) {
    return switch (order) {
      case "count" -> Long.toString(ran.sum());
      case "watch" -> {
        watching = true;
        yield "";
      }
      case "times" -> {
        watching = false;
        var answer = String.join(" ", times);
        times.clear();
        yield answer;
      }
      default -> throw new IllegalArgumentException(order);
    };
  }

  @Override
  public int run(Dispatch dispatch) {
    if (watching) {
      times.add(
          dispatch.getTaskId() + "=" + ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
    }
    ran.increment();
    return 0;
  }
}
