package dev.belay.server.gateway;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.util.AttributeKey;
import java.io.IOException;

/**
 * Notes who ended a connection, which nobody can tell afterwards: the other side by FIN or RST, as
 * the kernel does for a process that died, or we, also when pings are not answered. One for each
 * connection; called by its event loop.
 */
public final class Ending extends ChannelDuplexHandler {

  private enum By {
    US,
    PEER
  }

  private static final AttributeKey<By> ENDED = AttributeKey.valueOf(Ending.class, "ended");

  private Ending() {}

  /** To be called for each new connection. */
  public static void watch(ChannelPipeline pipeline) {
    pipeline.addFirst(new Ending());
  }

  /** Whether the connection is over, and it was the other side that ended it. */
  static boolean byPeer(Channel channel) {
    return !channel.isActive() && channel.attr(ENDED).get() != By.US;
  }

  @Override
  public void close(ChannelHandlerContext context, ChannelPromise promise) throws Exception {
    // What the peer ended is closed here, too, afterwards.
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
