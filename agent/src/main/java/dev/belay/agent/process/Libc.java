package dev.belay.agent.process;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/** The few C library calls that Java lacks. Linux only, thread-safe. */
final class Libc {

  static final int SIGKILL = 9;
  static final int SIGTERM = 15;
  static final short POLLIN = 1;

  private static final int EINTR = 4;
  private static final int ESRCH = 3;
  private static final int O_CLOEXEC = 0x80000;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private static final MethodHandle KILL = find("kill", JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle PIPE2 = find("pipe2", JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle READ = find("read", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
  private static final MethodHandle WRITE = find("write", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
  private static final MethodHandle CLOSE = find("close", JAVA_INT, JAVA_INT);
  private static final MethodHandle UMASK = find("umask", JAVA_INT, JAVA_INT);
  private static final MethodHandle POLL = find("poll", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);

  private Libc() {}

  record Pipe(int reader, int writer) {}

  /** Sends a signal (0 only checks); false without such a process or group ({@code -pgid}). */
  static boolean kill(long pid, int signal) {
    if (pid == 0 || pid == 1 || pid == -1) {
      throw new IllegalArgumentException("refusing to signal " + pid);
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      int result = (int) KILL.invokeExact(state, Math.toIntExact(pid), signal);
      // EPERM: the process exists, but we may not signal it.
      return result == 0 || errno(state) != ESRCH;
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  static Pipe pipe() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      MemorySegment ends = arena.allocate(JAVA_INT, 2);
      int result;
      try {
        result = (int) PIPE2.invokeExact(state, ends, O_CLOEXEC);
      } catch (Throwable t) {
        throw unexpected(t);
      }
      if (result != 0) {
        throw new IOException("cannot make a pipe: errno " + errno(state));
      }
      return new Pipe(ends.getAtIndex(JAVA_INT, 0), ends.getAtIndex(JAVA_INT, 1));
    }
  }

  /** Bytes read, 0 at the end of the stream, or negative after an interruption: call again. */
  static int read(int fd, MemorySegment buffer) throws IOException {
    return transfer(READ, "read", fd, buffer);
  }

  static int write(int fd, MemorySegment buffer) throws IOException {
    return transfer(WRITE, "write", fd, buffer);
  }

  static void close(int fd) {
    try (Arena arena = Arena.ofConfined()) {
      int ignored = (int) CLOSE.invokeExact(arena.allocate(STATE), fd);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  /** Sets this process's file mode creation mask and returns the old one. */
  static int umask(int mask) {
    try (Arena arena = Arena.ofConfined()) {
      return (int) UMASK.invokeExact(arena.allocate(STATE), mask);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  /** How many of the {@code struct pollfd}s are ready; 0 after the timeout or an interruption. */
  static int poll(MemorySegment pollfds, int count, int timeoutMillis) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      int result;
      try {
        result = (int) POLL.invokeExact(state, pollfds, (long) count, timeoutMillis);
      } catch (Throwable t) {
        throw unexpected(t);
      }
      if (result < 0 && errno(state) != EINTR) {
        throw new IOException("poll failed: errno " + errno(state));
      }
      return Math.max(0, result);
    }
  }

  private static int transfer(MethodHandle call, String name, int fd, MemorySegment buffer)
      throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      long result;
      try {
        result = (long) call.invokeExact(state, fd, buffer, buffer.byteSize());
      } catch (Throwable t) {
        throw unexpected(t);
      }
      if (result < 0 && errno(state) != EINTR) {
        throw new IOException(name + " failed: errno " + errno(state));
      }
      return (int) result;
    }
  }

  private static int errno(MemorySegment state) {
    return (int) ERRNO.get(state, 0L);
  }

  /** This class exists to call the C library; the launcher allows it. */
  @SuppressWarnings("restricted")
  private static MethodHandle find(String name, MemoryLayout result, MemoryLayout... arguments) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow(name),
        FunctionDescriptor.of(result, arguments),
        Linker.Option.captureCallState("errno"));
  }

  private static AssertionError unexpected(Throwable t) {
    return new AssertionError("a downcall must not throw", t);
  }
}
