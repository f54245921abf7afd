package dev.belay.server.gateway;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.util.AttributeKey;
import java.io.IOException;

/**
 * Records who ended a connection, which cannot be found out later: the peer by FIN or RST, which
 * the kernel sends for a dead process, or this server, for instance after unanswered pings. One per
 * connection; only its event loop calls it.
 */
public final class Ending extends ChannelDuplexHandler {

  private enum By {
    US,
    PEER
  }

  private static final AttributeKey<By> ENDED = AttributeKey.valueOf(Ending.class, "ended");

  private Ending() {}

  /** Call for each new connection. */
  public static void watch(ChannelPipeline pipeline) {
    pipeline.addFirst(new Ending());
  }

  /** Whether the peer ended the connection. */
  static boolean byPeer(Channel channel) {
    return !channel.isActive() && channel.attr(ENDED).get() != By.US;
  }

  @Override
  public void close(ChannelHandlerContext context, ChannelPromise promise) throws Exception {
    // Netty also closes a connection that the peer already ended.
    context.channel().attr(ENDED).setIfAbsent(By.US);
    super.close(context, promise);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable failure) throws Exception {
    if (failure instanceof IOException) {
      context.channel().attr(ENDED).setIfAbsent(By.PEER);
    }
    super.exceptionCaught(context, failure);
  }
}
