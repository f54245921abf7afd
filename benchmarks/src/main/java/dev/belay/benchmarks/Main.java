package dev.belay.benchmarks;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;

/** The entry point of {@code ./belay bench}. */
public final class Main {

  private static final int FAILED = 3;

  private Main() {}

  public static void main(String[] args) {
    var out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    var bench = new Bench(out, System.err);
    int status =
        new CommandLine(bench)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setExecutionExceptionHandler(
                (e, command, parsed) -> {
                  System.err.println("bench: " + e);
                  if (System.getenv("BELAY_DEBUG") != null) {
                    e.printStackTrace();
                  }
                  return FAILED;
                })
            .execute(args);
    System.exit(status);
  }
}
