import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Measures how fast a server answers during an attack: {@code Probe.java [--seconds N] [--until
 * FILE] [--every MS] [--timeout MS] [--token-file FILE] NAME=URL...} asks each address at a fixed
 * rate, on a new connection each time, until the time is over or the file exists, whichever comes
 * first, at most for an hour. It prints one line for each address:
 *
 * <pre>health: count 412 p50 2.1 p99 9.8 max 31.0 ms failures 0</pre>
 *
 * <p>A request that was due while an earlier one was under way counts from the time when it was
 * due: so an answer after ten seconds is more than one slow sample among many fast ones. A failure
 * (no answer in time, a refused connection, a status other than 2xx) counts with its time too, on
 * its own line: {@code health: failure 503 x12}. When the server closes a connection before it
 * sends a byte, the probe asks once more, as clients do, and counts the time of both: {@code
 * health: asked again x1}.
 */
final class Probe {
  private Duration length = Duration.ofHours(1);
  private Duration every = Duration.ofMillis(50);

  /**
   * The server closed the connection before it sent a byte; like every client, the probe asks once
   * more.
   */
  private static final String TURNED_AWAY = "turned away";

  private Duration timeout = Duration.ofSeconds(10);
  private Path until;
  private String token;

  public static void main(String[] args) throws Exception {
    var probe = new Probe();
    var targets = new ArrayList<Target>();
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--seconds" ->
            probe.length = Duration.ofMillis(Math.round(1000 * Double.parseDouble(args[++i])));
        case "--until" -> probe.until = Path.of(args[++i]);
        case "--every" -> probe.every = Duration.ofMillis(Long.parseLong(args[++i]));
        case "--timeout" -> probe.timeout = Duration.ofMillis(Long.parseLong(args[++i]));
        case "--token-file" -> probe.token = Files.readString(Path.of(args[++i])).strip();
        default -> targets.add(Target.of(args[i]));
      }
    }
    probe.run(targets);
  }

  private void run(List<Target> targets) throws InterruptedException {
    long end = System.nanoTime() + length.toNanos();
    var threads = new ArrayList<Thread>();
    for (var target : targets) {
      threads.add(Thread.ofPlatform().start(() -> poll(target, end)));
    }
    for (var thread : threads) {
      thread.join();
    }
    targets.forEach(Target::print);
  }

  private void poll(Target target, long end) {
    try {
      var head =
          new StringBuilder(
              "GET " + target.url.getRawPath() + " HTTP/1.1\r\nHost: " + target.url.getAuthority());
      if (token != null) {
        head.append("\r\nAuthorization: Bearer ").append(token);
      }
      var request =
          head.append("\r\nConnection: close\r\n\r\n")
              .toString()
              .getBytes(StandardCharsets.US_ASCII);
      // The first request loads this program's own classes, so its time says nothing about the
      // server.
      ask(target.url, request);
      long due = System.nanoTime();
      while (due < end && (until == null || !Files.exists(until))) {
        var failure = ask(target.url, request);
        if (TURNED_AWAY.equals(failure)) {
          target.again();
          failure = ask(target.url, request);
        }
        for (long now = System.nanoTime(); due <= now; due += every.toNanos()) {
          target.add(now - due, failure);
        }
        Thread.sleep(Duration.ofNanos(Math.max(0, due - System.nanoTime())));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * What went wrong, or null. On a socket, since a client that needs threads of its own would
   * measure those too.
   */
  private String ask(URI url, byte[] request) {
    var answered = false;
    try (var socket = new Socket()) {
      socket.setSoTimeout((int) timeout.toMillis());
      socket.connect(new InetSocketAddress(url.getHost(), url.getPort()), (int) timeout.toMillis());
      socket.getOutputStream().write(request);
      var in = socket.getInputStream();
      int first = in.read();
      if (first < 0) {
        return TURNED_AWAY;
      }
      answered = true;
      var answer = (char) first + new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return answer.startsWith("HTTP/1.1 2")
          ? null
          : answer.substring(0, Math.min(12, answer.length()));
    } catch (SocketTimeoutException e) {
      return e.getClass().getSimpleName();
    } catch (IOException e) {
      return answered ? e.getClass().getSimpleName() : TURNED_AWAY;
    }
  }

  /** An address with what was measured there; used by its own thread until that has ended. */
  private record Target(
      String name,
      URI url,
      List<Long> nanos,
      Map<String, Integer> failures,
      AtomicInteger retries) {
    static Target of(String text) {
      int equals = text.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException(text + ": give NAME=URL");
      }
      return new Target(
          text.substring(0, equals),
          URI.create(text.substring(equals + 1)),
          new ArrayList<>(),
          new TreeMap<>(),
          new AtomicInteger());
    }

    void again() {
      retries.incrementAndGet();
    }

    void add(long took, String failure) {
      nanos.add(took);
      if (failure != null) {
        failures.merge(failure, 1, Integer::sum);
      }
    }

    void print() {
      nanos.sort(null);
      System.out.printf(
          "%s: count %d p50 %.1f p99 %.1f max %.1f ms failures %d%n",
          name,
          nanos.size(),
          at(0.5),
          at(0.99),
          at(1),
          failures.values().stream().mapToInt(each -> each).sum());
      failures.forEach(
          (what, count) -> System.out.printf("%s: failure %s x%d%n", name, what, count));
      if (retries.get() > 0) {
        System.out.printf("%s: asked again x%d%n", name, retries.get());
      }
    }

    private double at(double share) {
      return nanos.isEmpty() ? 0 : nanos.get((int) Math.ceil(share * nanos.size()) - 1) / 1e6;
    }
  }
}
