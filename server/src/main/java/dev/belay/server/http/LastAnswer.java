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
 * Closes our side of an HTTP/1 connection right after its last answer, so a client that reads until
 * the end does not wait. The other side stays open for some seconds: closing it while the client
 * still sends would discard the answer.
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

  /** No later handler needs this event, and the server would log each. */
  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
    if (!(event instanceof ChannelOutputShutdownEvent)) {
      super.userEventTriggered(context, event);
    }
  }
}
