package dev.belay.agent.link;

import io.grpc.Status;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs why this agent is not connected: once for each outage, and once for each reason why a server
 * refuses it. Later attempts go to the debug log. Only the loop uses it.
 */
final class Outage {

  private static final Logger log = LoggerFactory.getLogger(Outage.class);

  private final int servers;
  private boolean told;
  private boolean wasWelcomed;
  private int refusedTokens;
  private String lastRefusal = "";

  /**
   * @param servers how many replicas the agent may call
   */
  Outage(int servers) {
    this.servers = servers;
  }

  void over() {
    told = false;
    wasWelcomed = true;
    refusedTokens = 0;
    lastRefusal = "";
  }

  void met(String what, @Nullable Throwable error) {
    refusedTokens = 0;
    var event = told ? log.atDebug() : log.atWarn();
    told = true;
    event
        .addKeyValue("what", what)
        .addKeyValue("error", error == null ? "it ended" : error.toString())
        .log("not connected; trying again");
  }

  /** Logs it even during an outage: this message has the remedy. */
  void refused(String reason) {
    var event = reason.equals(lastRefusal) ? log.atDebug() : log.atWarn();
    lastRefusal = reason;
    told = true;
    event.addKeyValue("reason", reason).log("the server refuses this worker; trying again");
  }

  static boolean isTokenRefused(Optional<Throwable> error) {
    return error
        .filter(e -> Status.fromThrowable(e).getCode() == Status.Code.UNAUTHENTICATED)
        .isPresent();
  }

  /**
   * An agent that has never joined gives up when no server accepts its token, because waiting
   * cannot help. An agent that was welcomed before continues: someone may be replacing its token,
   * and it reads the file again each time.
   *
   * @return the reason to give up, if it should
   */
  Optional<String> tokenRefused(URI server, Path tokenFile) {
    var reason =
        "the server %s does not take the join token in %s. Copy join-token from the server's folder"
            .formatted(server, tokenFile);
    refusedTokens++;
    if (!wasWelcomed && refusedTokens >= servers) {
      return Optional.of(reason);
    }
    refused(reason);
    return Optional.empty();
  }
}
