package dev.belay.server.http;

import com.linecorp.armeria.common.HttpMethod;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import java.util.stream.Stream;

/**
 * Checks the head of each HTTP/1 request as sent, because later handlers fill in or ignore missing,
 * duplicate or unknown parts. A fault is passed on and answered like one of the decoder.
 */
final class RequestHead extends ChannelInboundHandlerAdapter {

  private static final AsciiString HTTP2_SETTINGS = AsciiString.cached("http2-settings");

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
    if (message instanceof HttpRequest head && head.decoderResult().isSuccess()) {
      check(head);
    }
    super.channelRead(context, message);
  }

  private static void check(HttpRequest head) {
    // HTTP/2 clients start with HTTP/2, so no client needs an upgrade.
    head.headers().remove(HttpHeaderNames.UPGRADE).remove(HTTP2_SETTINGS);
    var version = head.protocolVersion();
    var hosts = head.headers().getAll(HttpHeaderNames.HOST).size();
    if (!version.equals(HttpVersion.HTTP_1_1) && !version.equals(HttpVersion.HTTP_1_0)) {
      fail(head, 505, "This server speaks HTTP/1.1 and HTTP/2, not " + version.text() + ".");
    } else if (hosts == 0) {
      fail(head, 400, "The Host header is missing; send one, like Host: localhost.");
    } else if (hosts > 1) {
      fail(head, 400, "The request has " + hosts + " Host headers; send one.");
    } else if (names(head, HttpHeaderNames.HOST)) {
      fail(head, 400, "The Connection header names Host; leave it out.");
    } else if (!HttpMethod.isSupported(head.method().name())) {
      // Refused as unknown below, so the client need not send its body.
      head.headers().remove(HttpHeaderNames.EXPECT);
    }
  }

  /** Later handlers drop the headers that a Connection header names, but Host is required. */
  private static boolean names(HttpRequest head, AsciiString header) {
    return head.headers().getAll(HttpHeaderNames.CONNECTION).stream()
        .flatMap(line -> Stream.of(line.split(",")))
        .anyMatch(name -> header.contentEqualsIgnoreCase(name.strip()));
  }

  private static void fail(HttpRequest head, int status, String detail) {
    head.setDecoderResult(DecoderResult.failure(new BadHead(status, detail)));
  }
}
