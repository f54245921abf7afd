package dev.belay.agent.process;

import dev.belay.domain.id.SessionId;
import dev.belay.protocol.agent.v1.Dispatch;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The environment of a task: a few inherited variables, then the work's own, then ours. An
 * allowlist, not a filter, so no secret of the agent can slip through.
 */
final class TaskEnvironment {

  static final String DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

  private static final Set<String> INHERITED =
      Set.of("PATH", "HOME", "LANG", "TZ", "TMPDIR", "USER", "LOGNAME", "SHELL");

  private TaskEnvironment() {}

  static Map<String, String> of(
      Dispatch dispatch,
      SessionId session,
      Map<String, String> inherited,
      Optional<TaskUser> user) {
    Map<String, String> env = new LinkedHashMap<>();
    env.put("PATH", DEFAULT_PATH);
    inherited.forEach(
        (name, value) -> {
          if (INHERITED.contains(name) || (name.startsWith("LC_") && StartLatch.isName(name))) {
            env.put(name, value);
          }
        });
    user.ifPresent(other -> env.putAll(other.environment()));
    env.putAll(dispatch.getEnvMap());
    env.put("BELAY_TASK_ID", dispatch.getTaskId());
    env.put("BELAY_RUN_ID", dispatch.getRunId());
    env.put("BELAY_TASK_NAME", dispatch.getTaskName());
    env.put("BELAY_ATTEMPT", Integer.toString(dispatch.getAttempt()));
    env.put("BELAY_FENCE", Long.toString(dispatch.getFencingToken()));
    env.put("BELAY_WORKFLOW", dispatch.getWorkflow());
    env.put("BELAY_TENANT", dispatch.getTenant());
    env.put(Cookies.DISPATCH, dispatch.getDispatchId());
    env.put(Cookies.SESSION, session.toString());
    return env;
  }
}
