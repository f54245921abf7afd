package dev.belay.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The statements of the store, each in a file of its own. */
public final class Sql {

  private static final ConcurrentMap<String, String> LOADED = new ConcurrentHashMap<>();

  private Sql() {}

  /**
   * The text of {@code sql/<name>.sql}.
   *
   * @param name folder and verb_noun, such as {@code plan/read_marks}
   */
  public static String named(String name) {
    return LOADED.computeIfAbsent(name, Sql::load);
  }

  private static String load(String name) {
    var resource = "/sql/" + name + ".sql";
    try (var in = Sql.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalArgumentException("no statement " + resource);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read statement " + resource, e);
    }
  }
}
