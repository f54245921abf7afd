package dev.belay.agent.process;

import java.util.Optional;

/**
 * The account that tasks run under.
 *
 * @param user empty: the agent's own user
 * @param umask of the tasks, in octal; empty: the agent's own
 */
public record TaskAccount(Optional<TaskUser> user, Optional<String> umask) {

  public static final TaskAccount SAME = new TaskAccount(Optional.empty(), Optional.empty());

  /** Describes, for people, how tasks are separated from the agent. */
  public String separation(int ownUid) {
    if (user.isPresent()) {
      return "tasks run as %s (uid %d): they cannot read this agent's files or environment"
          .formatted(user.get().name(), user.get().uid());
    }
    return ownUid == 0
        ? "tasks run as root, as this agent does: they can read its tokens and files, and those of"
            + " this machine; --task-user USER separates them"
        : "tasks run as the user of this agent (uid %d): they can read its tokens and files"
            .formatted(ownUid);
  }
}
