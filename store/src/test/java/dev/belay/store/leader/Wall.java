package dev.belay.store.leader;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A proxy between a client and a server on loopback that can drop all bytes and keep both open. */
final class Wall implements AutoCloseable {

  private final ServerSocket front;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private volatile boolean swallowing;

  Wall(String host, int port) throws IOException {
    front = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                while (true) {
                  Socket client = front.accept();
                  Socket server = new Socket(host, port);
                  sockets.addAll(List.of(client, server));
                  pass(client, server);
                  pass(server, client);
                }
              } catch (IOException closed) {
                // the test is over
              }
            });
  }

  int port() {
    return front.getLocalPort();
  }

  void swallow() {
    swallowing = true;
  }

  private void pass(Socket from, Socket to) {
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                var bytes = new byte[8192];
                for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                  if (!swallowing) {
                    out.write(bytes, 0, n);
                  }
                }
                // A wall that swallows also drops the close.
                if (!swallowing) {
                  to.close();
                }
              } catch (IOException closed) {
                // the test is over
              }
            });
  }

  @Override
  public void close() throws IOException {
    front.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
