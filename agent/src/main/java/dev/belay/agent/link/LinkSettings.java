package dev.belay.agent.link;

import java.time.Duration;

/**
 * Times and limits of the connection to the server.
 *
 * @param connectTimeout for one attempt to connect
 * @param pingInterval between HTTP/2 pings; a peer that does not answer one in time is dead
 * @param messageMaxBytes largest message from the server
 * @param unhandledMax server messages that may wait for the loop
 * @param eventsMax events that share one write of the journal
 * @param startsHeldFor how long the agent holds back a start, to send it with an end that follows
 * @param tokenMaxBytes largest join token file
 * @param tickInterval how often the session gets the time
 * @param probeInterval how often the agent checks the disk
 * @param logRetry between attempts to open the log stream while the session is connected
 * @param prepareThreads processes that the agent prepares at once
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
