package dev.belay.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Uses real sockets: the kernel closes those of a dead process. */
class EndingTest {

  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final LinkedBlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();
  private Channel listening;

  @BeforeEach
  void listen() {
    listening =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    Ending.watch(channel.pipeline());
                    accepted.add(channel);
                  }
                })
            .bind(InetAddress.getLoopbackAddress(), 0)
            .syncUninterruptibly()
            .channel();
  }

  @AfterEach
  void stop() {
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  @Test
  void connection_that_the_other_side_closes_was_ended_by_it() throws Exception {
    Channel channel;
    try (var _ = connect()) {
      channel = accepted.take();
      assertThat(Ending.byPeer(channel)).as("while it is open").isFalse();
    }
    channel.closeFuture().sync();
    assertThat(Ending.byPeer(channel)).isTrue();
  }

  @Test
  void connection_that_the_other_side_resets_was_ended_by_it() throws Exception {
    Channel channel;
    try (var socket = connect()) {
      channel = accepted.take();
      socket.setSoLinger(true, 0);
    }
    channel.closeFuture().sync();
    assertThat(Ending.byPeer(channel)).isTrue();
  }

  @Test
  void connection_that_we_close_was_not_ended_by_the_other_side() throws Exception {
    try (var _ = connect()) {
      Channel channel = accepted.take();
      channel.close().sync();
      assertThat(Ending.byPeer(channel)).isFalse();
    }
  }

  private Socket connect() throws Exception {
    return new Socket(
        InetAddress.getLoopbackAddress(), ((InetSocketAddress) listening.localAddress()).getPort());
  }
}
