package dev.belay.fuzz.tested;

import java.net.InetSocketAddress;
import java.nio.file.Path;

/**
 * A running server.
 *
 * @param hook the name of a webhook, a slash and its token
 * @param pid of its process
 * @param log its log file
 */
public record TestedServer(
    InetSocketAddress address,
    String token,
    String joinToken,
    String hook,
    long pid,
    Path log,
    DatabaseAddress database) {

  /** The address of the server's database. */
  public record DatabaseAddress(String url, String user, String password) {
    @Override
    public String toString() {
      return "DatabaseAddress[" + url + "]";
    }
  }

  public String host() {
    return address.getHostString() + ":" + address.getPort();
  }

  @Override
  public String toString() {
    return "TestedServer[" + host() + ", pid " + pid + "]";
  }
}
