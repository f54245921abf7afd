package dev.belay.cli.process;

import dev.belay.agent.AgentBounds;
import dev.belay.agent.AgentSettings;
import dev.belay.agent.journal.JournalSettings;
import dev.belay.agent.link.GpuSettings;
import dev.belay.agent.link.LinkSettings;
import dev.belay.agent.logs.LogSettings;
import dev.belay.agent.process.ProcessSettings;
import dev.belay.agent.process.TaskAccount;
import dev.belay.agent.process.TaskUser;
import dev.belay.agent.state.ReserveSettings;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.session.wire.Offer;
import dev.belay.settings.AgentGroup;
import dev.belay.settings.AgentLinkGroup;
import dev.belay.settings.AgentLogGroup;
import dev.belay.settings.Settings;
import dev.belay.settings.TaskLogGroup;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Converts a worker's settings to the form that the agent takes. */
final class AgentParts {

  private final Settings values;

  /**
   * @param values of an agent or of lite
   */
  AgentParts(Settings values) {
    this.values = values;
  }

  /**
   * Where a worker runs and which servers it serves.
   *
   * @param folder its state folder
   */
  record Place(String name, List<URI> servers, Path joinTokenFile, Path folder) {}

  AgentSettings agent(Place place, Optional<TaskUser> user, String umask) {
    return new AgentSettings(
        place.name(),
        place.servers(),
        place.joinTokenFile(),
        place.folder(),
        offer(),
        values.of(AgentGroup.STOP_GRACE),
        values.of(AgentGroup.DRAIN_TIMEOUT),
        values.of(TaskLogGroup.LOG_MAX),
        new TaskAccount(user, Optional.of(umask)),
        new ReserveSettings(
            values.of(AgentGroup.DISK_RESERVE),
            values.of(AgentGroup.DISK_FREE_MIN),
            values.of(AgentGroup.DESCRIPTOR_RESERVE)),
        bounds());
  }

  private Offer offer() {
    return new Offer(
        values.of(AgentGroup.POOL),
        values.of(AgentGroup.SLOTS),
        labels(),
        new LinkedHashSet<>(values.of(AgentGroup.CAPABILITY)),
        new Offer.Resources(values.of(AgentGroup.MEMORY), values.of(AgentGroup.CPU)));
  }

  private Map<String, String> labels() {
    var labels = new LinkedHashMap<String, String>();
    for (String pair : values.of(AgentGroup.LABEL)) {
      int equals = pair.indexOf('=');
      labels.put(pair.substring(0, equals), pair.substring(equals + 1));
    }
    return labels;
  }

  AgentBounds bounds() {
    var others = AgentBounds.defaults();
    return new AgentBounds(
        process(others.process()),
        logs(others.logs()),
        journal(),
        link(others.link()),
        gpu(),
        session());
  }

  private ProcessSettings process(ProcessSettings others) {
    return new ProcessSettings(
        values.of(AgentGroup.STOP_GRACE),
        values.of(AgentGroup.OUTPUT_DRAIN),
        others.quietAfter(),
        others.sweepInterval(),
        others.sweepRounds(),
        others.cleanupEntriesMax());
  }

  private LogSettings logs(LogSettings others) {
    return new LogSettings(
        values.of(TaskLogGroup.LOG_MAX),
        values.of(AgentLogGroup.LOG_SPOOL_MAX),
        Math.toIntExact(values.of(AgentLogGroup.LOG_LINE_MAX)),
        Math.toIntExact(values.of(AgentLogGroup.LOG_CHUNK_MAX)),
        values.of(AgentLogGroup.LOG_IN_FLIGHT),
        values.of(AgentLogGroup.LOG_RESENDS),
        values.of(AgentLogGroup.LOG_SHIP_WAIT),
        values.of(AgentLogGroup.LOG_PAUSE_MAX),
        others.lostMax());
  }

  private JournalSettings journal() {
    return new JournalSettings(
        values.of(AgentGroup.JOURNAL_COMPACT), values.of(AgentGroup.SETTLED_MAX));
  }

  private LinkSettings link(LinkSettings others) {
    return new LinkSettings(
        values.of(AgentLinkGroup.SERVER_CONNECT_MAX),
        values.of(AgentLinkGroup.SERVER_PING),
        Math.toIntExact(values.of(AgentLinkGroup.SERVER_MESSAGE_MAX)),
        others.unhandledMax(),
        values.of(AgentLinkGroup.JOURNAL_BATCH),
        others.startsHeldFor(),
        others.tokenMaxBytes(),
        others.tickInterval(),
        values.of(AgentLinkGroup.DISK_LOOK),
        others.logRetry(),
        values.of(AgentGroup.PREPARE_THREADS));
  }

  private GpuSettings gpu() {
    return new GpuSettings(
        values.find(AgentGroup.GPU_LOAD_COMMAND).orElse(List.of()),
        values.of(AgentGroup.GPU_LOAD_INTERVAL),
        values.of(AgentGroup.GPU_LOAD_TIMEOUT));
  }

  private dev.belay.session.agent.AgentSettings session() {
    return new dev.belay.session.agent.AgentSettings(
        values.of(AgentLinkGroup.RECONNECT_MIN),
        values.of(AgentLinkGroup.RECONNECT_MAX),
        dev.belay.session.agent.AgentSettings.DEFAULT.heartbeatInterval(),
        values.of(AgentLinkGroup.WELCOME_MAX),
        values.of(AgentLinkGroup.SERVER_SILENCE),
        values.of(AgentGroup.HELD_MAX),
        values.of(AgentGroup.SETTLED_MAX));
  }

  /**
   * The user that tasks run as, checked.
   *
   * @param postgres folders of a PostgreSQL
   */
  Optional<TaskUser> user(List<Path> postgres) throws CommandFailed {
    var name = values.find(AgentGroup.TASK_USER);
    try {
      return name.isEmpty() ? Optional.empty() : TaskUser.choose(name.get(), postgres);
    } catch (IOException e) {
      throw new CommandFailed(ExitCode.USAGE, sentence(String.valueOf(e.getMessage())), e);
    }
  }

  /** Describes, at the start of a command, how tasks are separated from the agent. */
  static String separation(Optional<TaskUser> user) throws IOException {
    return sentence(new TaskAccount(user, Optional.empty()).separation(TaskUser.own())) + ".";
  }

  private static String sentence(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }
}
