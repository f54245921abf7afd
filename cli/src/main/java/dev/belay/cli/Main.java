package dev.belay.cli;

import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.StopSignals;
import dev.belay.domain.id.Ids;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.ZoneId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Connects the command line to the real process. */
public final class Main {

  private Main() {}

  public static void main(String[] args) {
    int status = Belay.execute(surroundings(), args);
    System.exit(status);
  }

  private static CommandContext surroundings() {
    var clock = Clock.system(ZoneId.systemDefault());
    var random = new SecureRandom();
    return new CommandContext(
        stream(FileDescriptor.out),
        stream(FileDescriptor.err),
        isTerminal(1),
        System.getenv(),
        clock,
        System::nanoTime,
        () -> Ids.v7(clock.millis(), random.nextLong(), random.nextLong()),
        StopSignals::install,
        Main::typed);
  }

  /** Always UTF-8, whatever the locale: logs and names are UTF-8. */
  private static PrintStream stream(FileDescriptor descriptor) {
    return new PrintStream(
        new BufferedOutputStream(new FileOutputStream(descriptor)), true, StandardCharsets.UTF_8);
  }

  private static @Nullable BufferedReader typed() {
    return isTerminal(0)
        ? new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
        : null;
  }

  /** Asks Linux directly, because System.console() also looks at stdin. */
  private static boolean isTerminal(int descriptor) {
    var link = Path.of("/proc/self/fd/" + descriptor);
    try {
      var target = Files.readSymbolicLink(link).toString();
      return target.startsWith("/dev/pts/")
          || target.startsWith("/dev/tty")
          || target.equals("/dev/console");
    } catch (IOException e) {
      return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    }
  }
}
