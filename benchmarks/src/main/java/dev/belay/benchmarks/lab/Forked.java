package dev.belay.benchmarks.lab;

import dev.belay.benchmarks.peer.PeerKind;
import dev.belay.benchmarks.peer.PeerMain;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A peer in its own JVM. It rests between runs. */
public final class Forked implements Contender {

  private static final Duration RUN_MAX = Duration.ofMinutes(15);

  private final PeerKind kind;
  private final Child child;

  private Forked(PeerKind kind, Child child) {
    this.kind = kind;
    this.child = child;
  }

  public static Forked start(PeerKind kind, Path folder, Address database) throws IOException {
    var command =
        Java.command(
            Java.ownClasspath(),
            List.of(),
            PeerMain.class,
            List.of(kind.label(), database.jdbcUrl(), database.user()));
    var environment = Map.of(PeerMain.PASSWORD, database.password());
    return new Forked(kind, Child.start(kind.label(), folder, command, environment));
  }

  @Override
  public String name() {
    return kind.label();
  }

  @Override
  public int share(int tasks) {
    return Math.max(1, tasks / kind.divisor());
  }

  @Override
  public double run(int tasks) throws IOException, InterruptedException {
    return Double.parseDouble(child.ask("run " + tasks, RUN_MAX));
  }

  @Override
  public Map<String, Long> processes() {
    return Map.of("server", child.pid());
  }

  /** Milliseconds from each submit to its handler. */
  public List<Double> latencies(int perSecond, int tasks) throws IOException, InterruptedException {
    String answer = child.ask("latency " + perSecond + " " + tasks, RUN_MAX);
    return List.of(answer.split(" ")).stream().map(Double::valueOf).toList();
  }

  @Override
  public void close() {
    child.close();
  }
}
