package dev.belay.cli.process;

import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Limits of the arguments of this package's commands. */
public final class Arguments {

  private static final int PORT_MAX = 65_535;
  private static final int SLOTS_MAX = 10_000;
  private static final int MEMBERS_MAX = 9;

  private Arguments() {}

  public static void checkPort(int port) throws CommandFailed {
    check("--port", port, 0, PORT_MAX);
  }

  public static void checkSlots(int slots) throws CommandFailed {
    check("--slots", slots, 1, SLOTS_MAX);
  }

  /** Checks the number of processes of one kind in a local cluster. */
  public static void checkMembers(String option, int count, int min) throws CommandFailed {
    check(option, count, min, MEMBERS_MAX);
  }

  /** Fails when another program listens there now. */
  static void checkFree(String host, int port) throws CommandFailed {
    try (var probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(host, port));
    } catch (BindException e) {
      throw new CommandFailed(ExitCode.UNREACHABLE, Failures.portInUse(port), e);
    } catch (IOException e) {
      throw new CommandFailed(ExitCode.UNREACHABLE, Failures.told(e, port), e);
    }
  }

  private static void check(String option, int value, int min, int max) throws CommandFailed {
    if (value < min || value > max) {
      throw new CommandFailed(
          ExitCode.USAGE,
          "%s must be between %d and %d, not %d.".formatted(option, min, max, value));
    }
  }
}
