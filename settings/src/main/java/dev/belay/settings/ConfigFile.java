package dev.belay.settings;

import dev.belay.workflow.tree.Node;
import dev.belay.workflow.tree.Place;
import dev.belay.workflow.tree.Position;
import dev.belay.workflow.tree.YamlReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A {@code belay.yaml}: one flat mapping from names to values.
 *
 * @param problems of the file itself; {@link Layers} checks the values
 */
public record ConfigFile(Path path, List<Given> givens, List<String> problems) {

  public static final String NAME = "belay.yaml";

  private static final int BYTES_MAX = 1 << 20;
  private static final Set<PosixFilePermission> OTHERS_WRITE =
      Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
  private static final Set<PosixFilePermission> OTHERS_READ =
      Set.of(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);

  public ConfigFile {
    givens = List.copyOf(givens);
    problems = List.copyOf(problems);
  }

  /** One key with its value. */
  public record Given(String name, String text, int line) {}

  /**
   * @param user who runs this process; the file must belong to them or to root. "?" is a user
   *     without a name, as in containers
   */
  public static ConfigFile read(Path file, String user) throws IOException {
    if (Files.size(file) > BYTES_MAX) {
      throw new IOException("it has more than %d bytes".formatted(BYTES_MAX));
    }
    if (!Files.isRegularFile(file)) {
      // A pipe would block for ever.
      throw new IOException("it is not a regular file");
    }
    var read = parse(file, Files.readString(file));
    var problems = new ArrayList<>(read.problems());
    checkAccess(file, user, read.givens(), problems);
    return new ConfigFile(file, read.givens(), problems);
  }

  static ConfigFile parse(Path file, String text) {
    var givens = new ArrayList<Given>();
    var problems = new ArrayList<String>();
    if (!holdsNothing(text)) {
      YamlReader.read(text, (at, what) -> problems.add("%s:%d: %s".formatted(file, line(at), what)))
          .ifPresent(root -> collect(file, root, givens, problems));
    }
    return new ConfigFile(file, givens, problems);
  }

  private static boolean holdsNothing(String text) {
    return text.lines().map(String::strip).allMatch(line -> line.isEmpty() || line.startsWith("#"));
  }

  private static void collect(Path file, Node root, List<Given> givens, List<String> problems) {
    if (!(root instanceof Node.Mapping mapping)) {
      problems.add("%s:%d: write NAME: VALUE, one on each line".formatted(file, line(root.at())));
      return;
    }
    for (Node.Entry entry : mapping.entries()) {
      String name = entry.name();
      int line = line(entry.at());
      switch (entry.value()) {
        case Node.Scalar scalar when scalar.kind() != Node.Kind.NULL ->
            givens.add(new Given(name, scalar.text(), line));
        case Node.Scalar _ -> problems.add("%s:%d: %s has no value".formatted(file, line, name));
        case Node.Sequence sequence
            when sequence.items().stream().allMatch(Node.Scalar.class::isInstance) -> {
          if (Catalog.named(name).filter(setting -> !setting.type().isList()).isPresent()) {
            problems.add("%s:%d: %s takes one value, not a list".formatted(file, line, name));
          } else {
            givens.add(new Given(name, joined(sequence), line));
          }
        }
        case Node.Sequence _, Node.Mapping _ ->
            problems.add(
                "%s:%d: %s: names are flat here, like agent-silent: 2m"
                    .formatted(file, line, name));
      }
    }
  }

  private static int line(Place at) {
    return ((Position) at).line();
  }

  private static String joined(Node.Sequence sequence) {
    return String.join(
        ",", sequence.items().stream().map(item -> ((Node.Scalar) item).text()).toList());
  }

  private static void checkAccess(Path file, String user, List<Given> givens, List<String> problems)
      throws IOException {
    var attributes = Files.readAttributes(file, PosixFileAttributes.class);
    String owner = attributes.owner().getName();
    boolean isTrusted =
        owner.equals(user) || owner.equals("root") || user.equals("root") || user.equals("?");
    if (!isTrusted) {
      problems.add("%s belongs to %s, not to you; it is not read".formatted(file, owner));
    }
    if (attributes.permissions().stream().anyMatch(OTHERS_WRITE::contains)) {
      problems.add("%s can be written by others. Run: chmod go-w %s".formatted(file, file));
    }
    boolean holdsSecret =
        givens.stream()
            .anyMatch(given -> Catalog.named(given.name()).filter(Setting::isSecret).isPresent());
    if (holdsSecret && attributes.permissions().stream().anyMatch(OTHERS_READ::contains)) {
      problems.add(
          "%s holds a secret and can be read by others. Run: chmod 600 %s".formatted(file, file));
    }
  }
}
