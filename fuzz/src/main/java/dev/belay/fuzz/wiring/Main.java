package dev.belay.fuzz.wiring;

import dev.belay.fuzz.command.Fuzz;
import java.io.PrintStream;
import java.security.SecureRandom;

/** The entry point of {@code ./belay fuzz}. */
public final class Main {

  private Main() {}

  public static void main(String[] args) {
    PrintStream answers = System.out;
    // Keeps the output of libraries out of the report, which may be JSON.
    System.setOut(System.err);
    int status =
        Fuzz.execute(new Fuzz(answers, System.err, new SecureRandom(), System::nanoTime), args);
    answers.flush();
    System.exit(status);
  }
}
