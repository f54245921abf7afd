package dev.belay.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Inspects the start of a connection. HTTP/2 must open with its full preface; otherwise the
 * connection closes with one log line. For HTTP/1, it installs the head check right behind the
 * decoder, which exists only after the first bytes. One per connection; it then removes itself.
 */
public final class FirstBytes extends ByteToMessageDecoder {

  private static final Logger log = LoggerFactory.getLogger(FirstBytes.class);
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  /** This many bytes decide the protocol. */
  private static final int CHOSEN_BYTES = 4;

  private FirstBytes() {}

  /** Call for each new connection. */
  public static void watch(ChannelPipeline pipeline) {
    pipeline.addFirst(new FirstBytes());
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    if (in.readableBytes() < CHOSEN_BYTES) {
      return;
    }
    if (!startsLikePreface(in, CHOSEN_BYTES)) {
      // These bytes make Netty add the decoder; the rest follows when this handler is removed.
      var before = new HashSet<>(context.pipeline().names());
      context.fireChannelRead(in.readRetainedSlice(CHOSEN_BYTES));
      context.pipeline().names().stream()
          .filter(name -> !before.contains(name))
          .findFirst()
          .ifPresent(
              decoder ->
                  context
                      .pipeline()
                      .addAfter(decoder, null, new RequestHead())
                      .addAfter(decoder, null, new LastAnswer()));
      context.pipeline().remove(this);
      return;
    }
    if (!startsLikePreface(in, Math.min(in.readableBytes(), PREFACE.length))) {
      log.atInfo()
          .addKeyValue("client", context.channel().remoteAddress())
          .addKeyValue("bytes", ByteBufUtil.hexDump(in, in.readerIndex(), shown(in)))
          .log("connection closed: it begins like HTTP/2 but is not");
      in.skipBytes(in.readableBytes());
      var _ = context.close();
    } else if (in.readableBytes() >= PREFACE.length) {
      context.pipeline().remove(this);
    }
  }

  private static int shown(ByteBuf in) {
    return Math.min(in.readableBytes(), PREFACE.length);
  }

  private static boolean startsLikePreface(ByteBuf in, int length) {
    for (int i = 0; i < length; i++) {
      if (in.getByte(in.readerIndex() + i) != PREFACE[i]) {
        return false;
      }
    }
    return true;
  }
}
