package dev.belay.cli.process;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Endpoint;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.OsProcess;
import dev.belay.settings.ProcessKind;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lite, server or agent that works in a data folder, as its file there tells {@code belay stop}.
 * The file of a killed process stays; its start time shows that it is stale.
 */
public record RunningProcess(ProcessKind kind, OsProcess process, Path file)
    implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(RunningProcess.class);
  private static final String FOLDER = "processes";
  private static final int FILE_MAX_BYTES = 4 << 10;

  /** Workers give their tasks back before the server that takes them goes. */
  private static final Comparator<RunningProcess> STOP_ORDER =
      Comparator.comparingInt(each -> each.kind() == ProcessKind.AGENT ? 0 : 1);

  /**
   * Records this process; close removes the record. A process that cannot, as on a full disk, runs
   * all the same.
   *
   * @param stopping completes when it is asked to stop, by whoever
   */
  static AutoCloseable record(
      Path folder, ProcessKind kind, InstantSource clock, CompletableFuture<?> stopping) {
    try {
      var record = write(folder, kind, clock);
      var _ = stopping.thenRun(record::noteStopping);
      return record;
    } catch (IOException e) {
      log.atWarn().addKeyValue("folder", folder).setCause(e).log("belay stop cannot find this");
      return () -> {};
    }
  }

  private static RunningProcess write(Path folder, ProcessKind kind, InstantSource clock)
      throws IOException {
    for (RunningProcess old : in(folder)) {
      if (!old.process().isLive()) {
        old.close();
      }
    }
    var records = folder.resolve(FOLDER);
    Files.createDirectories(records);
    var here = OsProcess.of(ProcessHandle.current(), clock);
    var file = records.resolve("%s-%d.json".formatted(kind.word(), here.pid()));
    var record = new RunningProcess(kind, here, file);
    // A stop that met the end of an earlier process with this id may have left its mark.
    Files.deleteIfExists(record.stopping());
    Endpoint.writePrivately(
        file,
        Json.object()
            .put("kind", kind.word())
            .put("pid", here.pid())
            .put("started_at", here.startedAt().toString()));
    return record;
  }

  private void noteStopping() {
    try {
      markStopping();
    } catch (IOException e) {
      log.atWarn().addKeyValue("file", file).setCause(e).log("cannot note that it stops");
    }
  }

  /** The live processes of a folder, in the order in which they should stop. */
  public static List<RunningProcess> live(Path folder) throws IOException {
    return in(folder).stream()
        .filter(each -> each.process().isLive() && each.process().isOfOwner(each.file()))
        .sorted(STOP_ORDER)
        .toList();
  }

  private static List<RunningProcess> in(Path folder) throws IOException {
    var found = new ArrayList<RunningProcess>();
    try (var files = Files.newDirectoryStream(folder.resolve(FOLDER), "*.json")) {
      for (Path file : files) {
        try (var in = Files.newInputStream(file)) {
          found.add(read(file, Json.parse(in.readNBytes(FILE_MAX_BYTES))));
        } catch (NoSuchFileException justEnded) {
          // It removed its own record.
        } catch (JsonProcessingException broken) {
          throw unreadable(file);
        }
      }
    } catch (NoSuchFileException | NotDirectoryException neverUsed) {
      return List.of();
    }
    return found;
  }

  private static RunningProcess read(Path file, JsonNode node) throws IOException {
    var kind = ProcessKind.named(Json.text(node, "kind"));
    var startedAt = Json.time(node, "started_at");
    if (kind.isEmpty() || startedAt == null || !node.path("pid").canConvertToLong()) {
      throw unreadable(file);
    }
    return new RunningProcess(
        kind.get(), new OsProcess(node.path("pid").asLong(), startedAt), file);
  }

  private static IOException unreadable(Path file) {
    return new IOException(file + " does not describe a process of Belay; remove it");
  }

  /**
   * Asks it to stop in order, unless somebody did before: a second signal would end it at once.
   *
   * @return false when somebody did before
   */
  boolean askToStop() throws IOException {
    if (!markStopping()) {
      return false;
    }
    process.askToEnd();
    return true;
  }

  /**
   * @return false when it was marked before
   */
  boolean markStopping() throws IOException {
    try {
      Files.createFile(stopping());
      return true;
    } catch (FileAlreadyExistsException askedBefore) {
      return false;
    } catch (NoSuchFileException gone) {
      return true;
    }
  }

  private Path stopping() {
    return file.resolveSibling(file.getFileName() + ".stopping");
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(file);
    Files.deleteIfExists(stopping());
  }

  @Override
  public String toString() {
    return "%s (process %d)".formatted(kind.word(), process.pid());
  }
}
