package dev.belay.cli.client;

import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the server for a command: {@code --server}, else {@code BELAY_SERVER}, else this user's
 * lite process or a replica of the cluster in its folder. The token is in {@code --token-file},
 * else {@code BELAY_TOKEN_FILE}, else in the folder of that lite process.
 */
public final class ConnectionFinder {

  private static final int TOKEN_MAX_BYTES = 4096;
  private static final Pattern TOKEN = Pattern.compile("[\\x21-\\x7e]+");

  private final CommandContext surroundings;
  private final DataFolders folders;
  private final @Nullable String server;
  private final @Nullable Path tokenFile;

  public ConnectionFinder(
      CommandContext surroundings, @Nullable String server, @Nullable Path tokenFile) {
    this.surroundings = surroundings;
    this.folders = new DataFolders(surroundings);
    this.server = server;
    this.tokenFile = tokenFile;
  }

  /** Whether a person named the server; then the command must not start another one. */
  public boolean isNamed() {
    return server != null || surroundings.variable("BELAY_SERVER") != null;
  }

  /** At least one; replicas of the same cluster. */
  public List<ServerAddress> require() throws CommandFailed {
    var found = find();
    if (!found.isEmpty()) {
      return found;
    }
    throw new CommandFailed(
        ExitCode.UNREACHABLE,
        "No running Belay was found (looked for %s in %s). Start one with `belay lite`, or name a server with --server."
            .formatted(Endpoint.FILE_NAME, joined()));
  }

  /** The servers to try, in order; empty when none was named and none runs. */
  public List<ServerAddress> find() throws CommandFailed {
    var endpoints = endpoints();
    var found = new ArrayList<ServerAddress>();
    if (isNamed()) {
      for (URI url : named()) {
        var same = endpoints.stream().filter(known -> known.url().equals(url)).findFirst();
        found.add(connection(url, source(), same.map(Endpoint::tokenFile).orElse(null)));
      }
      return found;
    }
    for (var known : endpoints) {
      found.add(connection(known.url(), "process " + known.process().pid(), known.tokenFile()));
    }
    return found;
  }

  private String source() {
    return server != null ? "--server" : "BELAY_SERVER";
  }

  /** Several, separated by commas, are replicas of one cluster. */
  private List<URI> named() throws CommandFailed {
    String text = server != null ? server : surroundings.variable("BELAY_SERVER");
    var urls = new ArrayList<URI>();
    for (String one : (text == null ? "" : text).split(",", -1)) {
      urls.add(address(source(), one));
    }
    return urls;
  }

  /**
   * Parses a server address, with or without {@code http://}.
   *
   * @param source the option or variable that named it, for the message
   */
  public static URI address(String source, String text) throws CommandFailed {
    String url = text.strip();
    if (!url.contains("://")) {
      url = "http://" + url;
    }
    try {
      var uri = new URI(url.replaceAll("/+$", ""));
      if (uri.getHost() != null
          && (uri.getScheme().equals("http") || uri.getScheme().equals("https"))) {
        return uri;
      }
    } catch (URISyntaxException e) {
      // Reported below, with the other mistakes.
    }
    throw new CommandFailed(
        ExitCode.USAGE,
        "%s is not the address of a server: \"%s\". Write it like http://127.0.0.1:8080."
            .formatted(source, text));
  }

  private List<Endpoint> endpoints() throws CommandFailed {
    for (var folder : folders.candidates()) {
      try {
        var live = Endpoint.live(folder);
        if (!live.isEmpty() && DataFolders.ownedByThisUser(folder)) {
          return live;
        }
      } catch (IOException | IllegalArgumentException e) {
        if (!isNamed()) {
          throw new CommandFailed(
              ExitCode.UNREACHABLE,
              "Cannot read %s: %s. Delete it, or name a server with --server."
                  .formatted(folder.resolve(Endpoint.FILE_NAME), reason(e)),
              e);
        }
      }
    }
    return List.of();
  }

  private ServerAddress connection(URI url, String source, @Nullable Path known)
      throws CommandFailed {
    var file = tokenFile;
    String variable = surroundings.variable("BELAY_TOKEN_FILE");
    if (file == null) {
      file = variable == null ? known : Path.of(variable);
    }
    return new ServerAddress(url, source, file, file == null ? null : token(file));
  }

  private static String token(Path file) throws CommandFailed {
    try (var in = Files.newInputStream(file)) {
      String token = new String(in.readNBytes(TOKEN_MAX_BYTES), StandardCharsets.US_ASCII).strip();
      if (TOKEN.matcher(token).matches()) {
        return token;
      }
      throw new IOException("it does not hold a token");
    } catch (IOException e) {
      throw new CommandFailed(
          ExitCode.UNREACHABLE,
          "Cannot read the token file %s: %s. Name a readable one with --token-file."
              .formatted(file, reason(e)),
          e);
    }
  }

  private String joined() {
    return String.join(" and ", folders.candidates().stream().map(Path::toString).toList());
  }

  /** Explains a failure: file exceptions often have only the path as their message. */
  public static String reason(Exception e) {
    return switch (e) {
      case java.nio.file.NoSuchFileException missing -> "there is no such file";
      case java.nio.file.AccessDeniedException denied -> "permission denied";
      default -> e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    };
  }
}
