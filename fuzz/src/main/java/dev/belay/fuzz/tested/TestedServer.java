package dev.belay.fuzz.tested;

import java.net.InetSocketAddress;
import java.nio.file.Path;

/**
 * A server that can be called.
 *
 * @param pid of its process
 * @param log what it writes to its log
 */
public record TestedServer(
    InetSocketAddress address,
    String token,
    String joinToken,
    long pid,
    Path log,
    DatabaseAddress database) {

  /** How to reach the server's database. */
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
