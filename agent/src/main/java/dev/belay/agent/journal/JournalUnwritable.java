package dev.belay.agent.journal;

import java.io.IOException;
import java.nio.file.Path;

/** The disk is full or broken: the file holds nothing of the entries. */
public final class JournalUnwritable extends RuntimeException {

  private static final long serialVersionUID = 1;

  JournalUnwritable(Path file, IOException cause) {
    super("cannot write the journal " + file + ": " + cause.getMessage(), cause);
  }
}
