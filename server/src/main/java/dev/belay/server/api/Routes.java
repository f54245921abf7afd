package dev.belay.server.api;

import java.util.Arrays;
import java.util.List;

/** The calls of the API, for code that tries all of them. */
public final class Routes {

  /**
   * @param name as in code
   * @param path with its parameters in braces
   */
  public record Served(String name, String method, String path) {}

  private Routes() {}

  public static List<Served> all() {
    return Arrays.stream(Route.values())
        .map(route -> new Served(route.name(), route.method().name(), route.path()))
        .toList();
  }
}
