package dev.belay.agent.process;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The shell in which a task's process waits until its latch opens. It reads a line from stdin, sets
 * the task's environment and becomes the command.
 *
 * <p>Invariant: before that line, no program obeys a variable of the task. Otherwise the loader
 * would run the library in {@code LD_PRELOAD} inside setsid and setpriv, perhaps as root, and some
 * shells the file in {@code BASH_ENV}. So each variable waits as the value of one of ours, such as
 * {@code BELAY_ENV_1=LD_PRELOAD=/a.so}. No argument holds a value, because every user can read
 * arguments, and no shell parses one.
 */
final class StartLatch {

  /** How many variables wait; the latch counts it down. */
  private static final String COUNT = "BELAY_ENV_COUNT";

  private static final String WAITING = "BELAY_ENV_";
  private static final String OURS = "BELAY_";

  /** Every shell can export these names. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private static final String READ_LINE = "read -r BELAY_ENV_GO BELAY_ENV_UNTIL || exit 1\n";

  /** The agent may have been frozen after its own check. */
  private static final String CHECK_LEASE =
      """
      read -r BELAY_ENV_UP BELAY_ENV_IDLE </proc/uptime || exit 1
      [ "${BELAY_ENV_UP%.*}${BELAY_ENV_UP#*.}" -lt "$BELAY_ENV_UNTIL" ] || exit 1
      """;

  /**
   * A shell may refuse a name (bash: UID) or complain about a value (LC_ALL). The redirection hides
   * the complaint, and {@code command} keeps the shell alive.
   */
  private static final String BECOME_COMMAND =
      """
      while [ "$BELAY_ENV_COUNT" -gt 0 ]; do
        eval "command export \\"\\$BELAY_ENV_$BELAY_ENV_COUNT\\"; unset BELAY_ENV_$BELAY_ENV_COUNT"
        BELAY_ENV_COUNT=$((BELAY_ENV_COUNT - 1))
      done 2>/dev/null
      unset BELAY_ENV_COUNT
      exec "$@" </dev/null
      """;

  private StartLatch() {}

  /**
   * @param strict it does not open when the lease is over
   */
  static String script(boolean strict) {
    return READ_LINE + (strict ? CHECK_LEASE : "") + BECOME_COMMAND;
  }

  /** Whether a task can have a variable with this name. */
  static boolean isName(String name) {
    return NAME.matcher(name).matches() && !name.startsWith(WAITING);
  }

  /**
   * The environment of the latch, whose command then gets {@code ofTask}. Belay's own variables
   * need not wait: no program obeys them, and the cookies identify the process from its start.
   */
  static Map<String, String> environment(Map<String, String> ofTask) throws CannotStart {
    Map<String, String> env = new HashMap<>();
    int count = 0;
    for (Map.Entry<String, String> variable : ofTask.entrySet()) {
      String name = variable.getKey();
      String value = variable.getValue();
      check(name, value);
      if (name.startsWith(OURS)) {
        env.put(name, value);
      } else {
        count++;
        env.put(WAITING + count, name + "=" + value);
      }
    }
    env.put(COUNT, Integer.toString(count));
    return env;
  }

  private static void check(String name, String value) throws CannotStart {
    if (!isName(name)) {
      throw new CannotStart(
          "'%s' cannot be the name of an environment variable: use letters, digits and '_', and do not begin with a digit or with %s"
              .formatted(name, WAITING));
    }
    if (value.indexOf('\0') >= 0) {
      throw new CannotStart("the environment variable " + name + " contains a NUL character");
    }
  }
}
