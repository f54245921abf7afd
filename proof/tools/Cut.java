import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A network that can be cut: Cut.java FILE LISTEN:TARGET... forwards each loopback port to another.
 * While FILE exists it carries nothing, opens nothing and closes nothing, like a cut cable.
 * Afterwards the bytes that were under way arrive.
 */
final class Cut {
  private static final int LOOK_EVERY_MS = 20;
  private final Path file;

  private Cut(Path file) {
    this.file = file;
  }

  public static void main(String[] args) throws Exception {
    var cut = new Cut(Path.of(args[0]));
    for (int i = 1; i < args.length; i++) {
      var ports = args[i].split(":");
      var from =
          new ServerSocket(Integer.parseInt(ports[0]), 100, InetAddress.getLoopbackAddress());
      int to = Integer.parseInt(ports[1]);
      Thread.ofPlatform().start(() -> cut.accept(from, to));
    }
    System.out.println("ready");
  }

  private void accept(ServerSocket from, int to) {
    while (true) {
      try {
        var near = from.accept();
        Thread.ofVirtual().start(() -> connect(near, to));
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private void connect(Socket near, int to) {
    try {
      awaitWhole();
      var far = new Socket(InetAddress.getLoopbackAddress(), to);
      near.setTcpNoDelay(true);
      far.setTcpNoDelay(true);
      Thread.ofVirtual().start(() -> pump(near, far));
      pump(far, near);
    } catch (IOException refused) {
      close(near);
    }
  }

  private void pump(Socket from, Socket to) {
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      var buffer = new byte[1 << 16];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        awaitWhole();
        out.write(buffer, 0, read);
      }
      awaitWhole();
    } catch (IOException over) {
      awaitWhole();
    } finally {
      close(from);
      close(to);
    }
  }

  private void awaitWhole() {
    try {
      while (Files.exists(file)) {
        Thread.sleep(LOOK_EVERY_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException already) {
      // The connection is closed, as intended.
    }
  }
}
