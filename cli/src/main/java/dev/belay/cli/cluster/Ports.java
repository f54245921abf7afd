package dev.belay.cli.cluster;

import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Ports of members, which keep theirs over restarts. */
final class Ports {

  /**
   * Below the kernel's ports for outgoing connections: one of those could take a replica's port
   * while the replica is down.
   */
  private static final int MIN = 20_000;

  private static final int MAX = 32_000;
  private static final int TRIES_MAX = 200;

  private Ports() {}

  static List<Integer> free(int count, RandomGenerator random) throws CommandFailed {
    var ports = new ArrayList<Integer>();
    for (int tried = 0; tried < TRIES_MAX && ports.size() < count; tried++) {
      int port = random.nextInt(MIN, MAX);
      if (!ports.contains(port) && isFree(port)) {
        ports.add(port);
      }
    }
    if (ports.size() < count) {
      throw new CommandFailed(
          ExitCode.UNREACHABLE, "No free ports were found. Name one with --port.");
    }
    return ports;
  }

  /** From a chosen port upwards. */
  static List<Integer> from(int base, int count) throws CommandFailed {
    var ports = new ArrayList<Integer>();
    for (int port = base; port < base + count; port++) {
      if (!isFree(port)) {
        throw new CommandFailed(
            ExitCode.UNREACHABLE,
            "Port %d is in use by another program. Choose others with --port; 0 takes free ones."
                .formatted(port));
      }
      ports.add(port);
    }
    return ports;
  }

  private static boolean isFree(int port) {
    try (var probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }
}
