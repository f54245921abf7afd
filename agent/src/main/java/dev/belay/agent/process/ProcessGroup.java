package dev.belay.agent.process;

/**
 * The process group (and session) of one task, led by the task's main process.
 *
 * <p>Why a signal never hits a stranger: the kernel gives a number to no new process while it is
 * still in use as a pid or as the id of a group. Until the leader is reaped the number is ours.
 * Once it is reaped, a process with that number would be a new one; if there is none while the
 * group still has members, the group is what our leader left behind.
 */
record ProcessGroup(Process leader) {

  long id() {
    return leader.pid();
  }

  /** Signals every member while the leader lives. */
  void signal(int signal) {
    if (!leader.isAlive()) {
      return;
    }
    if (!Libc.kill(-id(), signal)) {
      // Forked but not yet in its own session: only the leader itself exists.
      Libc.kill(id(), signal);
    }
  }

  /** Ends what the reaped leader left behind in its group. */
  void killRest() {
    if (Libc.kill(-id(), 0) && !Libc.kill(id(), 0)) {
      Libc.kill(-id(), Libc.SIGKILL);
    }
  }
}
