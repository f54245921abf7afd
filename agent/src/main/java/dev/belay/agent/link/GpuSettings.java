package dev.belay.agent.link;

import java.time.Duration;
import java.util.List;

/**
 * How the agent learns how busy the GPUs are.
 *
 * @param command prints a percentage; empty when there is none
 * @param interval between two runs of the command
 * @param timeout for one run
 */
public record GpuSettings(List<String> command, Duration interval, Duration timeout) {

  public GpuSettings {
    command = List.copyOf(command);
  }

  /** Without a command, nothing is known. */
  public static GpuSettings none() {
    return new GpuSettings(List.of(), Duration.ofSeconds(10), Duration.ofSeconds(5));
  }
}
