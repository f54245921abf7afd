package dev.belay.simulation.wiring;

import dev.belay.simulation.command.RealSimulator;
import dev.belay.simulation.command.Simulate;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Entry point of {@code ./belay simulate}. */
public final class Main {

  private Main() {}

  public static void main(String[] args) {
    var out = stream(FileDescriptor.out);
    var simulate =
        new Simulate(new RealSimulator(), out, stream(FileDescriptor.err), System::nanoTime);
    int status = Simulate.execute(simulate, args);
    out.flush();
    System.exit(status);
  }

  private static PrintStream stream(FileDescriptor descriptor) {
    return new PrintStream(
        new BufferedOutputStream(new FileOutputStream(descriptor)), true, StandardCharsets.UTF_8);
  }
}
