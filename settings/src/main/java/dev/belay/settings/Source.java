package dev.belay.settings;

import java.nio.file.Path;

/** Where a value comes from. */
public sealed interface Source {

  /** For a person. */
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
   * @param flag as it was written, like {@code --set tick}
   */
  record Flag(String flag) implements Source {
    @Override
    public String text() {
      return flag;
    }
  }
}
