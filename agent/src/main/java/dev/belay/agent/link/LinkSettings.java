package dev.belay.agent.link;

import java.time.Duration;

/**
 * Times and bounds of the way to the server.
 *
 * @param connectTimeout for one try to connect
 * @param pingInterval between HTTP/2 pings; a peer that does not answer one in time is dead
 * @param messageMaxBytes largest message from the server
 * @param unhandledMax messages of the server that may wait for the loop
 * @param eventsMax events that share one write of the journal
 * @param startsHeldFor how long a start waits, to be told with its end if that follows at once
 * @param tokenMaxBytes largest join token file
 * @param tickInterval how often the session learns the time
 * @param probeInterval how often the disk is looked at
 * @param logRetry between tries to open the log stream while the session is connected
 * @param prepareThreads processes that are prepared at once
 */
public record LinkSettings(
    Duration connectTimeout,
    Duration pingInterval,
    int messageMaxBytes,
    int unhandledMax,
    int eventsMax,
    Duration startsHeldFor,
    int tokenMaxBytes,
    Duration tickInterval,
    Duration probeInterval,
    Duration logRetry,
    int prepareThreads) {

  public static LinkSettings defaults() {
    return new LinkSettings(
        Duration.ofSeconds(5),
        Duration.ofSeconds(5),
        64 << 20,
        64,
        500,
        Duration.ofMillis(3),
        4096,
        Duration.ofMillis(200),
        Duration.ofSeconds(1),
        Duration.ofSeconds(1),
        4);
  }
}
