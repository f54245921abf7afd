package dev.belay.agent.state;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.belay.domain.id.Ids;
import dev.belay.domain.id.WorkerId;
import dev.belay.session.wire.WireId;
import dev.belay.session.wire.WorkerKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The identity of a folder's worker: its id, the key that proves it, and how many processes it had.
 * Each is a small file that only its owner can read, forced to disk before it gets its name.
 *
 * <p>The agent sets an unreadable id or key aside and creates both anew: the server gives up the
 * old worker's tasks, as it does for any lost worker. An unreadable count starts again at 1, and
 * the server sends the right one.
 */
final class IdentityFiles {

  private static final Logger log = LoggerFactory.getLogger(IdentityFiles.class);
  private static final String ID = "worker-id";
  private static final String KEY = "worker-key";
  private static final String NUMBER = "session-number";

  /** A longer file is damaged; nothing of it is read. */
  private static final int BYTES_MAX = 1_000;

  private final Path folder;

  IdentityFiles(Path folder) {
    this.folder = folder;
  }

  /**
   * @param isNew no server knows this worker
   */
  record Identity(WorkerId worker, WorkerKey key, boolean isNew) {}

  Identity open(Ids ids, RandomGenerator random) throws IOException {
    var worker = read(ID, text -> Optional.of(text).filter(WireId::isUuid).map(WorkerId::of));
    var key = read(KEY, WorkerKey::parse);
    boolean damaged = worker.damaged() || key.damaged();
    if (damaged) {
      for (String name : new String[] {ID, KEY, NUMBER}) {
        setAside(name);
      }
      log.atWarn()
          .addKeyValue("folder", folder)
          .addKeyValue("damaged", worker.damaged() ? ID : KEY)
          .log(
              "the file cannot be read: this agent joins as a new worker, and the old files are"
                  + " kept as *.damaged");
    }
    boolean isNew = damaged || worker.value().isEmpty();
    var known = isNew ? Optional.<WorkerId>empty() : worker.value();
    var proof = damaged ? Optional.<WorkerKey>empty() : key.value();
    if (proof.isEmpty()) {
      proof = Optional.of(WorkerKey.random(random));
      write(KEY, proof.get().text());
    }
    if (known.isEmpty()) {
      known = Optional.of(new WorkerId(ids.next()));
      write(ID, known.get().toString());
    }
    return new Identity(known.get(), proof.get(), isNew);
  }

  /**
   * The number of this process: one above the last. On a full disk it is not stored; the next
   * process then has the same number, and the server sends the right one.
   */
  long nextNumber() throws IOException {
    var last = read(NUMBER, IdentityFiles::number);
    if (last.damaged()) {
      setAside(NUMBER);
      log.atWarn()
          .addKeyValue("file", folder.resolve(NUMBER))
          .log("the file cannot be read: the server will say where to go on counting");
    }
    long next = last.value().orElse(0L) + 1;
    try {
      number(next);
    } catch (IOException e) {
      log.atWarn()
          .addKeyValue("file", folder.resolve(NUMBER))
          .addKeyValue("cause", e)
          .log("the session number cannot be kept");
    }
    return next;
  }

  void number(long number) throws IOException {
    write(NUMBER, Long.toString(number));
  }

  private static Optional<Long> number(String text) {
    return text.matches("[0-9]{1,18}") ? Optional.of(Long.valueOf(text)) : Optional.empty();
  }

  private record Read<T>(Optional<T> value, boolean damaged) {}

  private <T> Read<T> read(String name, Function<String, Optional<T>> parse) throws IOException {
    Path file = folder.resolve(name);
    if (!Files.exists(file)) {
      return new Read<>(Optional.empty(), false);
    }
    byte[] bytes;
    try (var in = Files.newInputStream(file)) {
      bytes = in.readNBytes(BYTES_MAX + 1);
    } catch (IOException unreadable) {
      throw new IOException(
          file + " cannot be read: " + unreadable.getMessage() + ". Mend or remove it", unreadable);
    }
    // Bytes that are not UTF-8 become a text that is no id, key or number.
    var value =
        bytes.length > BYTES_MAX
            ? Optional.<T>empty()
            : parse.apply(new String(bytes, UTF_8).strip());
    return new Read<>(value, value.isEmpty());
  }

  private void setAside(String name) throws IOException {
    Path file = folder.resolve(name);
    if (Files.exists(file)) {
      Files.move(file, folder.resolve(name + ".damaged"), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Forces the file to disk before it names it: half an id would lock this worker out. */
  private void write(String name, String text) throws IOException {
    Path fresh = folder.resolve(name + ".new");
    Files.deleteIfExists(fresh);
    try (FileChannel out =
        FileChannel.open(
            fresh,
            Set.of(CREATE_NEW, WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      out.write(ByteBuffer.wrap((text + "\n").getBytes(UTF_8)));
      out.force(true);
    }
    Files.move(fresh, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    try (FileChannel names = FileChannel.open(folder, READ)) {
      names.force(true);
    }
  }
}
