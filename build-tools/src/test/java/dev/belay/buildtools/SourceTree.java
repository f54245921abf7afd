package dev.belay.buildtools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The project's text files by path from its root, without built, downloaded or hidden files. */
final class SourceTree {
  private static final Set<String> HIDDEN_BUT_OURS = Set.of(".ci", ".github");
  private static final Pattern TEXT =
      Pattern.compile(
          "[^.]+|.*\\.(java|proto|sql|xml|ya?ml|sh|md|properties|json|html|css|js|toml|txt)");
  private static final long FILE_BYTES_MAX = 2_000_000;

  private SourceTree() {}

  static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("build-tools/pom.xml"))) {
      folder = folder.getParent();
      if (folder == null) {
        throw new IllegalStateException("not inside the project");
      }
    }
    return folder;
  }

  static Map<String, String> read(Path root) {
    Map<String, String> files = new TreeMap<>();
    try {
      Files.walkFileTree(root, new Reader(root, files));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files;
  }

  private static final class Reader extends SimpleFileVisitor<Path> {
    private final Path root;
    private final Map<String, String> files;

    Reader(Path root, Map<String, String> files) {
      this.root = root;
      this.files = files;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
      String name = folder.getFileName().toString();
      boolean hidden = name.startsWith(".") && !HIDDEN_BUT_OURS.contains(name);
      boolean skipped = hidden || name.equals("target");
      return skipped && !folder.equals(root)
          ? FileVisitResult.SKIP_SUBTREE
          : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      String name = file.getFileName().toString();
      if (TEXT.matcher(name).matches() && attributes.size() <= FILE_BYTES_MAX) {
        files.put(root.relativize(file).toString(), Files.readString(file));
      }
      return FileVisitResult.CONTINUE;
    }
  }
}
