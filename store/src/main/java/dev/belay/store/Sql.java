package dev.belay.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;

/** The store's statements, one file each. */
public final class Sql {

  private static final String OPTIONAL = "--?";
  private static final String INCLUDED = "--<";
  private static final ConcurrentMap<String, String> LOADED = new ConcurrentHashMap<>();

  private Sql() {}

  /**
   * The text of {@code sql/<name>.sql}. A line {@code --< other} stands for the text of another.
   *
   * @param name folder and verb_noun, such as {@code plan/read_marks}
   */
  public static String named(String name) {
    return LOADED.computeIfAbsent(name, Sql::load);
  }

  /**
   * A statement with optional lines. A line that ends with {@code --? key} stays only when the key
   * is given, so PostgreSQL plans each combination of filters with just its own conditions.
   */
  public static String named(String name, Set<String> given) {
    return named(name)
        .lines()
        .filter(line -> !line.contains(OPTIONAL) || given.contains(keyOf(line, OPTIONAL)))
        .map(line -> line.contains(OPTIONAL) ? line.substring(0, line.indexOf(OPTIONAL)) : line)
        .collect(Collectors.joining("\n"));
  }

  private static String keyOf(String line, String mark) {
    return line.substring(line.indexOf(mark) + mark.length()).strip();
  }

  private static String load(String name) {
    var resource = "/sql/" + name + ".sql";
    try (var in = Sql.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalArgumentException("no statement " + resource);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> line.contains(INCLUDED) ? load(keyOf(line, INCLUDED)) : line)
          .collect(Collectors.joining("\n"));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read statement " + resource, e);
    }
  }
}
