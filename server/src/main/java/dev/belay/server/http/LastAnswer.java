package dev.belay.server.http;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelOutputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;

/**
 * Ends our side of an HTTP/1 connection as soon as its last answer is out, so that a client which
 * reads until the end does not wait. The other side stays open for some seconds more: to close it
 * on a client that still sends would take the answer away from it.
 */
final class LastAnswer extends ChannelDuplexHandler {

  private boolean last;

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise)
      throws Exception {
    if (message instanceof HttpResponse head) {
      last = !HttpUtil.isKeepAlive(head);
    }
    if (last
        && message instanceof LastHttpContent
        && context.channel() instanceof DuplexChannel channel) {
      var written =
          promise
              .unvoid()
              .addListener(
                  _ -> {
                    var _ = channel.shutdownOutput();
                  });
      super.write(context, message, written);
    } else {
      super.write(context, message, promise);
    }
  }

  /** Nobody behind this waits for it, and the server would log each. */
  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
    if (!(event instanceof ChannelOutputShutdownEvent)) {
      super.userEventTriggered(context, event);
    }
  }
}
