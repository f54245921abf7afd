package dev.belay.cli.client;

import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A server to talk to.
 *
 * @param source what named it, for messages
 * @param tokenFile where the token was read, null when none was found
 */
public record ServerAddress(
    URI url, String source, @Nullable Path tokenFile, @Nullable String token) {

  @Override
  public String toString() {
    return "ServerAddress[" + url + " from " + source + "]";
  }
}
