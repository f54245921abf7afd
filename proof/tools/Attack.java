import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;

/**
 * One attack on a server, while another client submits tasks. Prints one line: {@code submits_ok=20
 * submits_failed=0 ...}.
 *
 * <p>{@code Attack PORT TOKEN KIND COUNT SECONDS [PATH]}; kinds: objects, stall, unread, pages,
 * idle, none.
 */
final class Attack {

  private static final int BODY = 8 << 20;

  private final int port;
  private final String token;
  private final int count;
  private final Duration time;
  private final String path;
  private final Map<String, Integer> seen = new ConcurrentSkipListMap<>();
  private volatile boolean over;

  private Attack(int port, String token, int count, Duration time, String path) {
    this.port = port;
    this.token = token;
    this.count = count;
    this.time = time;
    this.path = path;
  }

  public static void main(String[] args) throws Exception {
    var attack =
        new Attack(
            Integer.parseInt(args[0]),
            args[1],
            Integer.parseInt(args[3]),
            Duration.ofSeconds(Long.parseLong(args[4])),
            args.length > 5 ? args[5] : "");
    attack.run(args[2]);
    System.exit(0);
  }

  private void run(String kind) throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var submits = threads.submit(this::submits);
      Thread.sleep(1_000);
      switch (kind) {
        case "objects" -> objects();
        case "stall" -> stall();
        case "unread" -> unread();
        case "pages" -> pages();
        case "idle" -> idle();
        default -> Thread.sleep(time.toMillis());
      }
      over = true;
      System.out.println(submits.get() + " " + seen.toString().replace(", ", ","));
    }
  }

  /** Clients that send small bodies, which become large trees, again and again. */
  private void objects() throws Exception {
    var begin = "{\"params\":{\"p\":[";
    var item = "{},";
    var text = new StringBuilder(BODY).append(begin);
    while (text.length() < BODY - 16) {
      text.append(item);
    }
    var body = text.append("{}]}}").toString().getBytes(StandardCharsets.US_ASCII);
    together(
        number -> {
          var where = number % 2 == 0 ? "/api/v1/workflows/nothing/runs" : "/api/v1/tasks";
          try (var client = client()) {
            var until = System.nanoTime() + time.toNanos();
            while (System.nanoTime() < until) {
              count("post_" + status(client, post(where, body)));
            }
          }
        });
  }

  /** Uploads that start and then stall. */
  private void stall() throws Exception {
    hold(
        "POST /api/v1/tasks HTTP/1.1\r\n"
            + "Content-Type: application/json\r\n"
            + "Content-Length: 10000\r\n",
        "{",
        64 << 10);
  }

  /** Clients that ask for a large answer and do not read it. */
  private void unread() throws Exception {
    hold("GET " + path + " HTTP/1.1\r\n", "", 4 << 10);
  }

  private void idle() throws Exception {
    hold("", "", 4 << 10);
  }

  /** Many clients that read a large answer at the same time. */
  private void pages() throws Exception {
    together(
        number -> {
          try (var client = client()) {
            var until = System.nanoTime() + time.toNanos();
            while (System.nanoTime() < until) {
              count("get_" + status(client, request(path)));
            }
          }
        });
  }

  /** Opens connections, sends the bytes on each, and keeps them open for the given time. */
  private void hold(String head, String body, int buffer) throws Exception {
    var open = new ArrayList<Socket>();
    for (int i = 0; i < count; i++) {
      try {
        var socket = new Socket();
        socket.setReceiveBufferSize(buffer);
        socket.connect(new InetSocketAddress("127.0.0.1", port), 3_000);
        open.add(socket);
        if (!head.isEmpty()) {
          var all = head + "Host: localhost\r\nAuthorization: Bearer " + token + "\r\n\r\n" + body;
          socket.getOutputStream().write(all.getBytes(StandardCharsets.US_ASCII));
        }
      } catch (IOException e) {
        count("not_connected");
      }
    }
    Thread.sleep(time.toMillis());
    for (var socket : open) {
      count(ending(socket, head.isEmpty() ? 10 : 300));
      socket.close();
    }
  }

  /** How the server left a connection that this client has not read until now. */
  private static String ending(Socket socket, int patience) {
    var status = "";
    try {
      socket.setSoTimeout(patience);
      InputStream in = socket.getInputStream();
      var first = new byte[12];
      int n = in.readNBytes(first, 0, first.length);
      status = n == first.length ? new String(first, 9, 3, StandardCharsets.US_ASCII) : "";
      var buffer = new byte[64 << 10];
      while (in.read(buffer) >= 0) {
        // Reads to the end, or until no more bytes come.
      }
      return status.isEmpty() ? "closed" : "closed_" + status;
    } catch (java.net.SocketTimeoutException e) {
      return status.isEmpty() ? "open" : "open_" + status;
    } catch (IOException e) {
      return status.isEmpty() ? "closed" : "closed_" + status;
    }
  }

  private String submits() throws Exception {
    int ok = 0;
    int failed = 0;
    double worst = 0;
    var body = "{\"command\": [\"/bin/true\"]}".getBytes(StandardCharsets.US_ASCII);
    while (!over) {
      try (var client = client()) {
        var began = System.nanoTime();
        var key = "attack-" + System.nanoTime();
        var answered = status(client, post("/api/v1/tasks", body).header("Idempotency-Key", key));
        if (answered.endsWith("Exception")) {
          // The server may close an idle connection to make room before its request comes; clients
          // try again.
          count("submit_retried");
          answered = status(client, post("/api/v1/tasks", body).header("Idempotency-Key", key));
        }
        worst = Math.max(worst, (System.nanoTime() - began) / 1e6);
        if (answered.equals("201")) {
          ok++;
        } else {
          failed++;
          count("submit_" + answered);
        }
      }
      Thread.sleep(200);
    }
    return "submits_ok=%d submits_failed=%d submit_max_ms=%.0f".formatted(ok, failed, worst);
  }

  private interface Client {
    void run(int number) throws Exception;
  }

  private void together(Client one) throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var all = new ArrayList<Callable<Object>>();
      for (int i = 0; i < count; i++) {
        int number = i;
        all.add(
            () -> {
              one.run(number);
              return number;
            });
      }
      for (var done : threads.invokeAll(all)) {
        done.get();
      }
    }
  }

  private HttpRequest.Builder request(String where) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + where))
        .timeout(Duration.ofSeconds(20))
        .header("Authorization", "Bearer " + token);
  }

  private HttpRequest.Builder post(String where, byte[] body) {
    return request(where)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofByteArray(body));
  }

  private static HttpClient client() {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(Duration.ofSeconds(5))
        .build();
  }

  private static String status(HttpClient client, HttpRequest.Builder request) throws Exception {
    try {
      return "" + client.send(request.build(), BodyHandlers.discarding()).statusCode();
    } catch (IOException e) {
      return e.getClass().getSimpleName();
    }
  }

  private void count(String what) {
    seen.merge(what, 1, Integer::sum);
  }
}
