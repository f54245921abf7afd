package dev.belay.fuzz.tested;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Finds stack traces in a server's log since the last look. Not thread-safe. */
public final class LogWatch {

  private static final Pattern FRAME = Pattern.compile("\\s+at [\\w.$/@-]+\\.[\\w$<>]+\\(.*");
  private static final int LINE_MAX = 300;

  private final Path log;
  private long at;
  private long lines;

  public LogWatch(Path log) {
    this.log = log;
  }

  public long lines() {
    return lines;
  }

  /** The line before each new stack trace, with the first frame. */
  public List<String> newTraces() throws IOException {
    if (!Files.exists(log)) {
      return List.of();
    }
    var traces = new ArrayList<String>();
    String before = "";
    boolean inTrace = false;
    for (String line : newLines()) {
      boolean frame = FRAME.matcher(line).matches();
      if (frame && !inTrace) {
        traces.add(cut(before) + " | " + cut(line.strip()));
      }
      inTrace = frame;
      before = line;
    }
    return traces;
  }

  private List<String> newLines() throws IOException {
    try (var file = new RandomAccessFile(log.toFile(), "r")) {
      if (file.length() < at) {
        // The log was rolled over.
        at = 0;
      }
      file.seek(at);
      byte[] bytes = new byte[(int) Math.min(file.length() - at, 64 << 20)];
      file.readFully(bytes);
      at += bytes.length;
      var found = new String(bytes, StandardCharsets.UTF_8).lines().toList();
      lines += found.size();
      return found;
    }
  }

  private static String cut(String line) {
    return line.length() <= LINE_MAX ? line : line.substring(0, LINE_MAX) + "...";
  }
}
