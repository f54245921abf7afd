package dev.belay.benchmarks.lab;

import dev.belay.benchmarks.peer.CronMain;
import dev.belay.benchmarks.peer.PeerKind;
import dev.belay.benchmarks.peer.PeerMain;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A peer in its own JVM that runs jobs by cron expressions. It rests between measurements. */
public final class ForkedCron implements AutoCloseable {

  private static final Duration ANSWER_MAX = Duration.ofMinutes(10);

  private final PeerKind kind;
  private final Child child;

  private ForkedCron(PeerKind kind, Child child) {
    this.kind = kind;
    this.child = child;
  }

  static ForkedCron start(PeerKind kind, Path folder, Address database) throws IOException {
    var command =
        Java.command(
            Java.ownClasspath(),
            List.of(),
            CronMain.class,
            List.of(kind.label(), database.jdbcUrl(), database.user()));
    var environment = Map.of(PeerMain.PASSWORD, database.password());
    return new ForkedCron(kind, Child.start(kind.label(), folder, command, environment));
  }

  public String name() {
    return kind.label();
  }

  /**
   * @param runs that the measured seconds should bring
   * @param expressions which the jobs take in turn
   * @return how late the runs were, in milliseconds
   */
  public List<Double> lateness(
      int jobs, int warmUpSeconds, int seconds, int runs, List<String> expressions)
      throws IOException, InterruptedException {
    String order =
        "%d\t%d\t%d\t%d\t%s"
            .formatted(jobs, warmUpSeconds, seconds, runs, String.join(";", expressions));
    return Stream.of(child.ask(order, ANSWER_MAX).split(" "))
        .filter(word -> !word.isEmpty())
        .map(Double::valueOf)
        .toList();
  }

  @Override
  public void close() {
    child.close();
  }
}
