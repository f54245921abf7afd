package dev.belay.cli.client;

import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The address of a server.
 *
 * @param source the option, variable or file that named it, for messages
 * @param tokenFile the file of the token; null when none was found
 */
public record ServerAddress(
    URI url, String source, @Nullable Path tokenFile, @Nullable String token) {

  @Override
  public String toString() {
    return "ServerAddress[" + url + " from " + source + "]";
  }
}
