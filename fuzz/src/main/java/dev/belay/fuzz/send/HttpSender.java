package dev.belay.fuzz.send;

import dev.belay.fuzz.request.Answer;
import dev.belay.fuzz.request.Answer.Outcome;
import dev.belay.fuzz.request.Request.Http;
import dev.belay.fuzz.request.Request.Trouble;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One client on plain sockets: keeps a connection while requests are well-formed. For one thread.
 */
public final class HttpSender implements AutoCloseable {

  /** A longer wait for an answer counts as a hang. */
  public static final Duration ANSWER_MAX = Duration.ofSeconds(10);

  /** How long a misbehaving client waits. */
  private static final Duration MOMENT = Duration.ofMillis(400);

  private final InetSocketAddress server;
  private final LongSupplier nanos;
  private final ThreadFactory threads;
  private @Nullable Socket kept;

  public HttpSender(InetSocketAddress server, LongSupplier nanos, ThreadFactory threads) {
    this.server = server;
    this.nanos = nanos;
    this.threads = threads;
  }

  /** Never throws because of the server. */
  public Answer send(Http http) {
    long start = nanos.getAsLong();
    boolean old = kept != null && http.mayShareConnection();
    Answer answer = sendOnce(http);
    boolean lost = answer.outcome() == Outcome.CLOSED || answer.outcome() == Outcome.RESET;
    if (old && lost) {
      // The server may have closed the kept connection just then, as any server may.
      answer = sendOnce(http);
    }
    return answer.after((nanos.getAsLong() - start) / 1_000_000);
  }

  private Answer sendOnce(Http http) {
    try {
      Socket socket = http.mayShareConnection() && kept != null ? kept : connect();
      kept = null;
      Answer answer = exchange(http, socket);
      boolean keep =
          http.mayShareConnection()
              && answer.outcome() == Outcome.ANSWERED
              && !"close".equalsIgnoreCase(answer.headers().get("connection"));
      if (keep) {
        kept = socket;
      } else {
        socket.close();
      }
      return answer;
    } catch (IOException e) {
      return Answer.without(Outcome.RESET, e.toString());
    }
  }

  private Socket connect() throws IOException {
    var socket = new Socket();
    socket.connect(server, (int) ANSWER_MAX.toMillis());
    socket.setTcpNoDelay(true);
    return socket;
  }

  private Answer exchange(Http http, Socket socket) throws IOException {
    Duration patience = patience(http);
    // On another thread: a server may answer and close before it has read everything.
    Thread writer = threads.newThread(() -> write(http, socket));
    writer.start();
    try {
      if (http.trouble() == Trouble.UNREAD) {
        Thread.sleep(MOMENT);
      }
      var in = new BufferedInputStream(new Timed(socket, patience));
      return HttpAnswers.read(in, http.isHead());
    } catch (SocketTimeoutException e) {
      boolean impatient = patience.equals(MOMENT);
      return Answer.without(
          impatient ? Outcome.LEFT : Outcome.SILENT, String.valueOf(e.getMessage()));
    } catch (SocketException e) {
      return Answer.without(Outcome.RESET, String.valueOf(e.getMessage()));
    } catch (HttpAnswers.Closed e) {
      return Answer.without(Outcome.CLOSED, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Answer.without(Outcome.LEFT, "interrupted");
    } finally {
      if (writer.isAlive()) {
        // The writer waits for a server that does not read.
        writer.interrupt();
        if (http.trouble() != Trouble.NONE || !http.wellFormed()) {
          socket.close();
        }
      }
    }
  }

  /** The server may wait for the rest of an incomplete request as long as it likes. */
  private static Duration patience(Http http) {
    return switch (http.trouble()) {
      case NONE, SLOW, UNREAD -> http.wellFormed() ? ANSWER_MAX : MOMENT;
      case HALF, STREAM, OTHER_PROTOCOL -> MOMENT;
    };
  }

  private static void write(Http http, Socket socket) {
    try {
      OutputStream out = socket.getOutputStream();
      byte[] bytes = http.bytes();
      int half = bytes.length / 2;
      switch (http.trouble()) {
        case SLOW -> {
          out.write(bytes, 0, half);
          out.flush();
          Thread.sleep(MOMENT);
          out.write(bytes, half, bytes.length - half);
        }
        case HALF -> out.write(bytes, 0, half);
        case NONE, UNREAD, STREAM, OTHER_PROTOCOL -> out.write(bytes);
      }
      out.flush();
    } catch (IOException e) {
      // The reader sees how the connection ended, and whether an answer came first.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reads until a deadline, however slowly the bytes come. */
  private final class Timed extends InputStream {
    private final Socket socket;
    private final InputStream in;
    private final long end;

    Timed(Socket socket, Duration patience) throws IOException {
      this.socket = socket;
      this.in = socket.getInputStream();
      this.end = nanos.getAsLong() + patience.toNanos();
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      long left = (end - nanos.getAsLong()) / 1_000_000;
      if (left <= 0) {
        throw new SocketTimeoutException("no whole answer in the time");
      }
      socket.setSoTimeout((int) left);
      return in.read(into, offset, length);
    }
  }

  @Override
  public void close() {
    try {
      if (kept != null) {
        kept.close();
      }
    } catch (IOException e) {
      // Already closed, as intended.
    }
  }
}
