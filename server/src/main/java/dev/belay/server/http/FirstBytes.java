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
 * Looks at how a connection begins. HTTP/2 must open with its whole preface, else the connection is
 * closed with one line in the log. For HTTP/1 the check of heads is put right behind the decoder,
 * which is only there once it has seen the first bytes. One for each connection; then it is gone.
 */
public final class FirstBytes extends ByteToMessageDecoder {

  private static final Logger log = LoggerFactory.getLogger(FirstBytes.class);
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  /** With so many the protocol is chosen. */
  private static final int CHOSEN_BYTES = 4;

  private FirstBytes() {}

  /** To be called for each new connection. */
  public static void watch(ChannelPipeline pipeline) {
    pipeline.addFirst(new FirstBytes());
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    if (in.readableBytes() < CHOSEN_BYTES) {
      return;
    }
    if (!startsLikePreface(in, CHOSEN_BYTES)) {
      // It chooses by these, and now adds the decoder; the rest follows when this is removed.
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
