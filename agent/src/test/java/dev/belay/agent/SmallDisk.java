package dev.belay.agent;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A small real disk, a tmpfs. Tests that need one are skipped where it cannot be mounted. */
public final class SmallDisk implements AutoCloseable {

  private static final int INODES = 2_000;

  private final Path path;

  public SmallDisk(Path path, int mib) throws IOException {
    this.path = Files.createDirectories(path);
    assumeTrue(
        run(
            "mount",
            "-t",
            "tmpfs",
            "-o",
            "size=" + mib + "m,mode=711,nr_inodes=" + INODES,
            "tmpfs",
            path.toString()),
        "needs root, to mount a small disk");
  }

  public Path path() {
    return path;
  }

  /** Leaves not a byte. */
  public void fill() throws IOException {
    byte[] block = new byte[4096];
    try (OutputStream out = Files.newOutputStream(filler())) {
      while (true) {
        out.write(block);
      }
    } catch (IOException full) {
      if (path.toFile().getUsableSpace() > 0) {
        throw full;
      }
    }
  }

  /** Leaves space but no inodes. */
  public void fillInodes() throws IOException {
    Files.createDirectory(inodes());
    try {
      for (int i = 0; i <= INODES; i++) {
        Files.createFile(inodes().resolve(String.valueOf(i)));
      }
      throw new IllegalStateException("inodes without end");
    } catch (IOException full) {
      if (path.toFile().getUsableSpace() == 0) {
        throw full;
      }
    }
  }

  public void freeInodes() throws IOException {
    try (var files = Files.newDirectoryStream(inodes())) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
    Files.delete(inodes());
  }

  public void free() throws IOException {
    Files.delete(filler());
  }

  private Path inodes() {
    return path.resolve("inodes");
  }

  private Path filler() {
    return path.resolve("filler");
  }

  @Override
  public void close() throws IOException {
    run("umount", "-l", path.toString());
  }

  private static boolean run(String... command) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
