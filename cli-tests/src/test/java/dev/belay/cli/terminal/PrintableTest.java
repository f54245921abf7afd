package dev.belay.cli.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class PrintableTest {

  private static final String HOSTILE =
      "a\u001b[2J\u001b]0;title\u0007\tb\rc\u009b31m\u202ed\u2066e\u007f\n";

  @Test
  void what_a_terminal_would_obey_is_shown() {
    assertThat(Printable.lines(HOSTILE))
        .isEqualTo("a␛[2J␛]0;title␇\tb␍c\ufffd31m\ufffdd\ufffde␡\n");
    assertThat(Printable.line(HOSTILE)).isEqualTo("a␛[2J␛]0;title␇ b c\ufffd31m\ufffdd\ufffde␡ ");
    assertThat(Printable.lines("grün 漢字 😀\n\tok\n")).isEqualTo("grün 漢字 😀\n\tok\n");
  }

  @Test
  void a_stream_shows_the_same_however_it_is_cut() throws IOException {
    byte[] bytes = (HOSTILE + "grün 漢字 😀\n").getBytes(UTF_8);
    for (int cut = 0; cut <= bytes.length; cut++) {
      var to = new ByteArrayOutputStream();
      try (var stream = Printable.stream(to)) {
        stream.write(bytes, 0, cut);
        stream.flush();
        stream.write(bytes, cut, bytes.length - cut);
        stream.flush();
      }
      assertThat(to.toString(UTF_8)).isEqualTo(Printable.lines(new String(bytes, UTF_8)));
    }
  }
}
