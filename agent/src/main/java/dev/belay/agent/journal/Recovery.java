package dev.belay.agent.journal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.belay.agent.journal.Lines.Header;
import dev.belay.agent.journal.Lines.Line;
import dev.belay.agent.journal.Lines.LossReported;
import dev.belay.agent.journal.Lines.Step;
import dev.belay.domain.id.SessionId;
import dev.belay.session.agent.JournalEntry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads a journal, even a damaged one. */
final class Recovery {

  private static final Logger log = LoggerFactory.getLogger(Recovery.class);

  private final String bootId;
  private final Ledger ledger;
  private final Set<SessionId> sessions = new HashSet<>();
  private boolean sameBoot;
  private boolean lossKnown;
  private int damaged;

  private Recovery(String bootId, int settledMax) {
    this.bootId = bootId;
    this.ledger = new Ledger(settledMax);
  }

  static EarlierSessions read(Path file, String bootId, int settledMax) throws IOException {
    Recovery recovery = new Recovery(bootId, settledMax);
    if (Files.exists(file)) {
      recovery.readLines(file);
    }
    return new EarlierSessions(
        Set.copyOf(recovery.sessions),
        recovery.ledger.recovered(
            recovery.sameBoot && recovery.lossKnown && recovery.damaged == 0,
            !recovery.sessions.isEmpty() && !recovery.sameBoot));
  }

  private void readLines(Path file) throws IOException {
    boolean endsWhole = endsWithNewline(file);
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                Files.newInputStream(file),
                UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPLACE)
                    .onUnmappableCharacter(CodingErrorAction.REPLACE)))) {
      @Nullable String line = in.readLine();
      while (line != null) {
        @Nullable String next = in.readLine();
        boolean torn = next == null && !endsWhole;
        // The write of a torn last line never returned, so the agent never did what it announced.
        if (!torn) {
          take(line);
        }
        line = next;
      }
    }
    if (damaged > 0) {
      log.atWarn().addKeyValue("lines", damaged).log("journal is damaged; some lines are lost");
    }
  }

  private void take(String text) {
    Optional<Line> line = Lines.read(text);
    if (line.isEmpty()) {
      damaged++;
      return;
    }
    switch (line.get()) {
      case Header header -> {
        sameBoot = header.bootId().equals(bootId);
        lossKnown = header.complete();
        sessions.add(header.session());
      }
      case Step(JournalEntry entry) -> ledger.add(entry);
      case LossReported ignored -> lossKnown = true;
    }
  }

  private static boolean endsWithNewline(Path file) throws IOException {
    try (var in = Files.newByteChannel(file)) {
      if (in.size() == 0) {
        return true;
      }
      in.position(in.size() - 1);
      var last = ByteBuffer.allocate(1);
      in.read(last);
      return last.get(0) == '\n';
    }
  }
}
