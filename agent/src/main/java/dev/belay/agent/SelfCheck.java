package dev.belay.agent;

import dev.belay.agent.execute.Ended;
import dev.belay.agent.execute.Latched;
import dev.belay.agent.execute.Prepared;
import dev.belay.agent.process.LogSink;
import dev.belay.agent.process.TaskProcesses;
import dev.belay.agent.wiring.Machine;
import dev.belay.domain.settle.Outcome;
import dev.belay.protocol.agent.v1.Dispatch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Runs one empty task that the server never sees. A machine that cannot run tasks shows it when its
 * agent starts, instead of failing every task. It also warms up the code for the first real task.
 */
final class SelfCheck {

  private static final Duration WITHIN = Duration.ofSeconds(60);

  private SelfCheck() {}

  /** Completes with the problem, if there is one; never fails. */
  static CompletableFuture<Optional<String>> run(
      TaskProcesses processes, Machine machine, Executor background) {
    return CompletableFuture.supplyAsync(
            () -> processes.prepare(nothing(machine), new Unheard()), background)
        .thenCompose(prepared -> end(prepared, machine))
        .completeOnTimeout(
            Optional.of("no end within " + WITHIN.toSeconds() + " s"),
            WITHIN.toMillis(),
            TimeUnit.MILLISECONDS)
        .exceptionally(e -> Optional.of(e.toString()));
  }

  private static CompletableFuture<Optional<String>> end(Prepared prepared, Machine machine) {
    return switch (prepared) {
      case Prepared.NoRoom(var reason) -> CompletableFuture.completedFuture(Optional.of(reason));
      case Prepared.Failed(var ended) -> CompletableFuture.completedFuture(complaint(ended));
      case Latched process -> {
        var end = new CompletableFuture<Optional<String>>();
        var _ = process.ended().thenAccept(ended -> end.complete(complaint(ended)));
        process.open(machine.clock().instant());
        yield end;
      }
    };
  }

  private static Optional<String> complaint(Ended ended) {
    return switch (ended.outcome()) {
      case Outcome.Exited exit ->
          exit.code() == 0
              ? Optional.empty()
              : Optional.of("exit code " + exit.code() + " " + ended.detail());
      case Outcome.StartFailed(var message) -> Optional.of(message + " " + ended.detail());
      case Outcome.TimedOut timedOut -> Optional.of(timedOut.toString());
      case Outcome.Stalled stalled -> Optional.of(stalled.toString());
      // Only a stopping agent aborts it.
      case Outcome.Aborted _ -> Optional.empty();
    };
  }

  /** Needs nothing that other tasks do not need. */
  private static Dispatch nothing(Machine machine) {
    return Dispatch.newBuilder()
        .setDispatchId(machine.ids().next().toString())
        .setTaskId(machine.ids().next().toString())
        .setTaskName("self-check")
        .addAllArgv(List.of("/bin/sh", "-c", ":"))
        .setExecutionTimeoutMs(WITHIN.toMillis())
        .build();
  }

  private static final class Unheard implements LogSink {
    @Override
    public void write(Stream stream, byte[] data, int length) {}

    @Override
    public void quiet() {}

    @Override
    public void close() {}
  }
}
