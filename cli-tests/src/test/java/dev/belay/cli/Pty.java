package dev.belay.cli;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.function.Consumer;

/** A pseudo-terminal: receives a program's output and has a settable size. */
@SuppressWarnings("restricted")
final class Pty implements AutoCloseable {

  private static final int O_RDWR = 2;
  private static final int O_NOCTTY = 0x100;
  private static final int O_CLOEXEC = 0x80000;
  private static final long TIOCSWINSZ = 0x5414;
  private static final int NAME_MAX = 128;
  private static final int BUFFER = 8192;

  private static final MethodHandle OPENPT = find("posix_openpt", JAVA_INT, JAVA_INT);
  private static final MethodHandle GRANTPT = find("grantpt", JAVA_INT, JAVA_INT);
  private static final MethodHandle UNLOCKPT = find("unlockpt", JAVA_INT, JAVA_INT);
  private static final MethodHandle PTSNAME =
      find("ptsname_r", JAVA_INT, JAVA_INT, ADDRESS, JAVA_LONG);
  private static final MethodHandle READ = find("read", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
  private static final MethodHandle CLOSE = find("close", JAVA_INT, JAVA_INT);
  private static final MethodHandle IOCTL =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("ioctl"),
              FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS),
              Linker.Option.firstVariadicArg(2));

  private final int master;
  private final Path slave;

  private Pty(int master, Path slave) {
    this.master = master;
    this.slave = slave;
  }

  static Pty open(int rows, int columns) throws IOException {
    try (var arena = Arena.ofConfined()) {
      int master = (int) OPENPT.invokeExact(O_RDWR | O_NOCTTY | O_CLOEXEC);
      var name = arena.allocate(NAME_MAX);
      if (master < 0
          || (int) GRANTPT.invokeExact(master) != 0
          || (int) UNLOCKPT.invokeExact(master) != 0
          || (int) PTSNAME.invokeExact(master, name, (long) NAME_MAX) != 0) {
        throw new IOException("no pseudo-terminal can be had");
      }
      var pty = new Pty(master, Path.of(name.getString(0)));
      pty.resize(rows, columns);
      return pty;
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** The program's side. */
  Path slave() {
    return slave;
  }

  /** The kernel sends SIGWINCH to the processes of this terminal. */
  void resize(int rows, int columns) {
    try (var arena = Arena.ofConfined()) {
      var size = arena.allocate(JAVA_SHORT, 4);
      size.setAtIndex(JAVA_SHORT, 0, (short) rows);
      size.setAtIndex(JAVA_SHORT, 1, (short) columns);
      int result = (int) IOCTL.invokeExact(master, TIOCSWINSZ, size);
      if (result != 0) {
        throw new AssertionError("the terminal takes no size");
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Reads until no process has the other side open. */
  void readAll(Consumer<byte[]> sink) {
    try (var arena = Arena.ofConfined()) {
      var buffer = arena.allocate(BUFFER);
      while (true) {
        long read = (long) READ.invokeExact(master, buffer, (long) BUFFER);
        if (read <= 0) {
          return;
        }
        sink.accept(buffer.asSlice(0, read).toArray(JAVA_BYTE));
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    try {
      int ignored = (int) CLOSE.invokeExact(master);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static MethodHandle find(String name, MemoryLayout result, MemoryLayout... arguments) {
    return Linker.nativeLinker()
        .downcallHandle(
            Linker.nativeLinker().defaultLookup().findOrThrow(name),
            FunctionDescriptor.of(result, arguments));
  }
}
