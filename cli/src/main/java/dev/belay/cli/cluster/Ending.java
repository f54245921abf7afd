package dev.belay.cli.cluster;

import dev.belay.cli.client.OsProcess;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Ends the processes of a cluster: agents, then replicas, then PostgreSQL. */
final class Ending {

  /** Longer than an agent drains and PostgreSQL writes its checkpoint. */
  private static final Duration IN_ORDER_MAX = Duration.ofSeconds(15);

  private static final Duration KILLED_MAX = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMillis(20);

  private final CommandContext surroundings;

  Ending(CommandContext surroundings) {
    this.surroundings = surroundings;
  }

  /** Returns the names of the processes that it had to kill. */
  List<String> end(Cluster cluster) throws CommandFailed {
    var killed = new ArrayList<String>();
    for (var group : cluster.endOrder()) {
      killed.addAll(end(group));
    }
    var server = cluster.database().server();
    if (server != null && !await(List.of(server), KILLED_MAX)) {
      throw left(List.of("PostgreSQL (process %d)".formatted(server.pid())));
    }
    return killed;
  }

  private List<String> end(List<Cluster.Member> group) throws CommandFailed {
    group.forEach(member -> member.process().askToEnd());
    // A frozen process would never receive the signal.
    group.stream()
        .filter(member -> member.process().state() == OsProcess.State.FROZEN)
        .forEach(member -> member.process().kill());
    await(processes(group), IN_ORDER_MAX);
    var late = group.stream().filter(member -> member.process().isLive()).toList();
    late.forEach(member -> member.process().kill());
    if (!await(processes(late), KILLED_MAX)) {
      throw left(names(late));
    }
    return names(late);
  }

  private static List<OsProcess> processes(List<Cluster.Member> group) {
    return group.stream().map(Cluster.Member::process).toList();
  }

  private static List<String> names(List<Cluster.Member> group) {
    return group.stream().map(Cluster.Member::name).toList();
  }

  private boolean await(List<OsProcess> processes, Duration atMost) throws CommandFailed {
    long start = surroundings.ticker().getAsLong();
    while (processes.stream().anyMatch(OsProcess::isLive)) {
      if (surroundings.ticker().getAsLong() - start > atMost.toNanos()) {
        return false;
      }
      try {
        Thread.sleep(POLL);
      } catch (InterruptedException e) {
        throw CommandFailed.interrupted();
      }
    }
    return true;
  }

  private static CommandFailed left(List<String> names) {
    return new CommandFailed(
        ExitCode.FAILED,
        "These could not be ended: %s. Look at them with `belay cluster status`."
            .formatted(String.join(", ", names)));
  }
}
