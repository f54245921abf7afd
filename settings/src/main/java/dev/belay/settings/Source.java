package dev.belay.settings;

import java.nio.file.Path;

/** The source of a value. */
public sealed interface Source {

  /** The text for people. */
  String text();

  record Default() implements Source {
    @Override
    public String text() {
      return "default";
    }
  }

  record File(Path file, int line) implements Source {
    @Override
    public String text() {
      return file + ":" + line;
    }
  }

  record Variable(String name) implements Source {
    @Override
    public String text() {
      return name;
    }
  }

  /**
   * @param flag as written, like {@code --set tick}
   */
  record Flag(String flag) implements Source {
    @Override
    public String text() {
      return flag;
    }
  }
}
