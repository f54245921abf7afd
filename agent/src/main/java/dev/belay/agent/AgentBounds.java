package dev.belay.agent;

import dev.belay.agent.journal.JournalSettings;
import dev.belay.agent.link.GpuSettings;
import dev.belay.agent.link.LinkSettings;
import dev.belay.agent.logs.LogSettings;
import dev.belay.agent.process.ProcessSettings;

/** Times and limits of an agent's parts. */
public record AgentBounds(
    ProcessSettings process,
    LogSettings logs,
    JournalSettings journal,
    LinkSettings link,
    GpuSettings gpu,
    dev.belay.session.agent.AgentSettings session) {

  public static AgentBounds defaults() {
    return new AgentBounds(
        ProcessSettings.defaults(),
        LogSettings.defaults(),
        JournalSettings.defaults(),
        LinkSettings.defaults(),
        GpuSettings.none(),
        dev.belay.session.agent.AgentSettings.DEFAULT);
  }
}
