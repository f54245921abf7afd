package dev.belay.agent.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.belay.agent.journal.Lines.Header;
import dev.belay.agent.journal.Lines.LossReported;
import dev.belay.agent.journal.Lines.Step;
import dev.belay.agent.state.PrivateFile;
import dev.belay.agent.state.Reserve;
import dev.belay.agent.state.Room;
import dev.belay.domain.id.SessionId;
import dev.belay.session.agent.JournalEntry;
import dev.belay.session.agent.Recovered;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The journal of the current session. */
public final class Journal implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Journal.class);

  private final Path file;
  private final SessionId session;
  private final String bootId;
  private final JournalSettings settings;
  private final Room room;
  private final Ledger ledger;
  private boolean complete;
  private FileChannel channel;
  private long length;
  private long compactAt;

  /**
   * Begins this session's journal with the recovered entries. End the processes of the earlier
   * sessions first: the new journal no longer holds their ids.
   *
   * @param room makes room when the disk is full
   */
  public Journal(
      Path file,
      SessionId session,
      String bootId,
      JournalSettings settings,
      Recovered recovered,
      Room room)
      throws IOException {
    this.room = room;
    this.file = file;
    this.session = session;
    this.bootId = bootId;
    this.settings = settings;
    this.complete = recovered.complete();
    this.ledger = new Ledger(settings.settledMax(), recovered);
    this.channel = begin();
  }

  /** The kernel's id of this boot. */
  public static String bootId() throws IOException {
    return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
  }

  /** Reads the entries of earlier sessions. Changes nothing, so it is repeatable after a crash. */
  public static EarlierSessions recover(Path file, String bootId, JournalSettings settings)
      throws IOException {
    return Recovery.read(file, bootId, settings.settledMax());
  }

  /**
   * Writes the entries with one write, before it returns. If it throws, none of them counts: do not
   * do what they announce.
   *
   * @throws JournalUnwritable when the disk refuses them even after room was made
   */
  public synchronized void append(List<JournalEntry> entries) {
    StringBuilder text = new StringBuilder();
    entries.forEach(entry -> text.append(Lines.write(new Step(entry))));
    write(text.toString());
    entries.forEach(ledger::add);
    if (length > compactAt) {
      compact();
    }
  }

  /** False when entries of earlier sessions may be missing, until {@link #lossReported}. */
  public synchronized boolean complete() {
    return complete;
  }

  /** A server has accepted the report that the journal is not complete. */
  public synchronized void lossReported() {
    if (!complete) {
      write(Lines.write(new LossReported()));
      complete = true;
    }
  }

  @Override
  public synchronized void close() throws IOException {
    channel.close();
  }

  private void write(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    try {
      length = room.write(() -> append(bytes));
    } catch (IOException e) {
      throw new JournalUnwritable(file, e);
    }
  }

  /**
   * @return the new length
   */
  private long append(byte[] bytes) throws IOException {
    ByteBuffer rest = ByteBuffer.wrap(bytes);
    try {
      while (rest.hasRemaining()) {
        channel.write(rest, length + rest.position());
      }
    } catch (IOException e) {
      cutBack(e);
      throw e;
    }
    return length + bytes.length;
  }

  /** A half-written line would make the next one unreadable. */
  private void cutBack(IOException cause) {
    try {
      channel.truncate(length);
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  /** The entries are already written, so a failure costs only space. A later append tries again. */
  private void compact() {
    FileChannel old = channel;
    try {
      channel = rewrite();
      old.close();
    } catch (IOException e) {
      compactAt = length + settings.compactAtBytes();
      log.atError().setCause(e).log("journal cannot be compacted");
    }
  }

  private FileChannel begin() throws IOException {
    try {
      return room.write(this::rewrite);
    } catch (IOException e) {
      throw new IOException(
          "the journal %s cannot be written (%s), and without it no task may run. Free some space, or mend the disk, and start the agent again"
              .formatted(file, Reserve.reason(e)),
          e);
    }
  }

  /** The file gets its name only after all of it is on disk. */
  private FileChannel rewrite() throws IOException {
    StringBuilder text = new StringBuilder();
    text.append(Lines.write(new Header(bootId, session, complete)));
    ledger.entries().forEach(entry -> text.append(Lines.write(new Step(entry))));
    byte[] bytes = text.toString().getBytes(UTF_8);
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    FileChannel out = PrivateFile.open(fresh, CREATE, WRITE, TRUNCATE_EXISTING);
    try {
      ByteBuffer rest = ByteBuffer.wrap(bytes);
      while (rest.hasRemaining()) {
        out.write(rest);
      }
      out.force(true);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      out.close();
      // On a full disk, half a journal takes the space that the whole one needs.
      Files.deleteIfExists(fresh);
      throw e;
    }
    length = bytes.length;
    // Entries that must stay must not make every append a compaction.
    compactAt = Math.max(settings.compactAtBytes(), 2 * length);
    return out;
  }
}
