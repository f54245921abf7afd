package dev.belay.server.api;

import dev.belay.domain.run.RunState;
import dev.belay.domain.wait.Wait;
import dev.belay.store.read.Run;
import dev.belay.store.read.Task;
import dev.belay.store.read.WaitReads;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The API's description of why tasks and runs wait. */
final class Waits {

  private Waits() {}

  /** Null for a task that does not wait; queries the database only for one that may. */
  static @Nullable Map<String, @Nullable Object> of(Task task, WaitReads reads) {
    return task.state().isTerminal() || task.state().isActive()
        ? null
        : reads.ofTask(task.id()).map(Waits::said).orElse(null);
  }

  static @Nullable Map<String, @Nullable Object> of(Run run, WaitReads reads) {
    return run.state() == RunState.QUEUED
        ? reads.ofRun(run.id()).map(Waits::said).orElse(null)
        : null;
  }

  /** The first few tasks that wait for something other than tasks. */
  static List<Map<String, @Nullable Object>> ofTasks(Run run, WaitReads reads) {
    return run.state() == RunState.RUNNING
        ? reads.ofTasks(run.id()).stream().map(Waits::said).toList()
        : List.of();
  }

  private static Map<String, @Nullable Object> said(WaitReads.Waiting waiting) {
    var said = new LinkedHashMap<String, @Nullable Object>();
    said.put("task", waiting.task());
    said.put("name", waiting.name());
    said.put("state", waiting.state());
    said.putAll(said(waiting.why()));
    return said;
  }

  private static Map<String, @Nullable Object> said(Wait wait) {
    var said = new LinkedHashMap<String, @Nullable Object>();
    said.put("reason", wait.reason().word());
    said.put("detail", wait.detail());
    said.put("since", wait.since());
    said.put("until", wait.until());
    return said;
  }
}
