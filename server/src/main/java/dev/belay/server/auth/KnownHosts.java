package dev.belay.server.auth;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The host names that this server answers to. */
public final class KnownHosts {

  private static final Pattern LOOPBACK_V4 = Pattern.compile("127(\\.\\d{1,3}){3}");
  private static final Pattern AUTHORITY =
      Pattern.compile("(\\[[0-9a-f:.%]+]|[0-9a-z_.-]+)(:\\d{1,5})?");

  private final Set<String> names;

  /**
   * @param bound the address the server listens on
   * @param allowed additional names, without a port
   */
  public KnownHosts(String bound, List<String> allowed) {
    this.names =
        Stream.concat(Stream.of("localhost", "[::1]", bracketed(bound)), allowed.stream())
            .map(name -> name.toLowerCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());
  }

  /** The result of checking a Host header. */
  public enum Verdict {
    KNOWN,
    UNKNOWN,
    MALFORMED
  }

  /**
   * @param authority the Host header, or :authority of HTTP/2
   */
  public Verdict judge(@Nullable String authority) {
    if (authority == null) {
      return Verdict.MALFORMED;
    }
    var matcher = AUTHORITY.matcher(authority.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      return Verdict.MALFORMED;
    }
    var host = matcher.group(1);
    return names.contains(host) || LOOPBACK_V4.matcher(host).matches()
        ? Verdict.KNOWN
        : Verdict.UNKNOWN;
  }

  private static String bracketed(String host) {
    return host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host;
  }
}
