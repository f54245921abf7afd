package dev.belay.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.server.api.ApiFixture.Answer;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Webhooks as their senders see them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HookApiTest {

  private static final String TOKEN = "t".repeat(40);
  private static final String KEY = "k".repeat(40);

  private ApiFixture api;
  private Path hooks;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    hooks = Files.createDirectory(folder.resolve("hooks"));
    write("plain.token", TOKEN);
    write("team.arrived.token", TOKEN);
    write("signed.token", TOKEN);
    write("signed.hmac", KEY);
    api = new ApiFixture(folder);
  }

  private Path write(String name, String text) throws IOException {
    var file = Files.writeString(hooks.resolve(name), text + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  @BeforeEach
  void clear() {
    api.store.clear();
  }

  @AfterAll
  void stop() {
    api.close();
  }

  @Test
  void token_in_the_path_is_enough_to_send_the_event_of_the_hook() {
    var sent = send("plain", TOKEN, "{\"size\": 1}");
    assertThat(sent.status()).isEqualTo(201);
    var shown = api.fetch("/api/v1/events/" + sent.json().get("id").asText()).json();
    assertThat(shown.get("name").asText()).isEqualTo("plain");
    assertThat(shown.get("source").asText()).isEqualTo("hook");
    assertThat(shown.at("/data/size").asInt()).isEqualTo(1);
    assertThat(shown.get("tenant").asText()).isEqualTo("default");
  }

  @Test
  void file_can_name_another_tenant() {
    assertThat(send("team.arrived", TOKEN, "{}").status()).isEqualTo(201);
    assertThat(api.fetch("/api/v1/events?tenant=team&name=arrived").json().get("items")).hasSize(1);
  }

  @Test
  void unknown_hook_and_wrong_token_get_the_same_answer() {
    var unknown = send("nothing", TOKEN, "{}");
    var wrong = send("plain", TOKEN + "x", "{}");
    var unsigned = send("signed", TOKEN, "{}");
    var outside = send("..%2Ftoken", TOKEN, "{}");
    assertThat(unknown.status()).isEqualTo(401);
    assertThat(wrong.text()).isEqualTo(unknown.text());
    assertThat(unsigned.text()).isEqualTo(unknown.text());
    assertThat(outside.status()).isIn(400, 401, 404);
    assertThat(unknown.text()).doesNotContain(TOKEN);
    assertThat(api.store.count("event")).isZero();
  }

  @Test
  void hook_comes_and_goes_with_its_file_and_only_if_nobody_else_can_read_it() throws IOException {
    assertThat(send("later", TOKEN, "{}").status()).isEqualTo(401);
    var file = write("later.token", TOKEN);
    assertThat(send("later", TOKEN, "{}").status()).isEqualTo(201);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(send("later", TOKEN, "{}").status()).isEqualTo(401);
    Files.delete(file);
    assertThat(send("later", TOKEN, "{}").status()).isEqualTo(401);
  }

  @Test
  void signed_body_is_stored_once_however_often_it_is_replayed() {
    var time = Long.toString(Instant.now().getEpochSecond());
    var body = "{\"size\": 1}";
    var header = "t=" + time + ",v1=" + hmac(time + "." + body);
    var first = send("signed", TOKEN, body, "X-Belay-Signature", header);
    assertThat(first.status()).isEqualTo(201);
    var replay = send("signed", TOKEN, body, "X-Belay-Signature", header);
    assertThat(replay.status()).isEqualTo(200);
    assertThat(replay.json().get("id")).isEqualTo(first.json().get("id"));
    assertThat(send("signed", TOKEN, "{\"size\": 2}", "X-Belay-Signature", header).status())
        .isEqualTo(401);
    assertThat(api.store.count("event")).isEqualTo(1);
  }

  @Test
  void old_signature_is_refused() {
    var time = Long.toString(Instant.now().getEpochSecond() - 301);
    var header = "t=" + time + ",v1=" + hmac(time + ".{}");
    assertThat(send("signed", TOKEN, "{}", "X-Belay-Signature", header).status()).isEqualTo(401);
  }

  @Test
  void delivery_of_github_is_known_by_its_id() {
    var headers =
        new String[] {"X-Hub-Signature-256", "sha256=" + hmac("{}"), "X-GitHub-Delivery", "d-1"};
    var first = send("signed", TOKEN, "{}", headers);
    assertThat(first.status()).isEqualTo(201);
    assertThat(send("signed", TOKEN, "{}", headers).json().get("id"))
        .isEqualTo(first.json().get("id"));
    assertThat(send("signed", TOKEN, "{}", "X-Hub-Signature-256", "sha256=" + hmac("{}")).status())
        .as("without its id a delivery could be replayed")
        .isEqualTo(401);
  }

  @Test
  void body_must_be_json_and_small() {
    var form =
        api.send(
            api.anonymous("/hooks/plain/" + TOKEN)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("a=1")));
    assertThat(form.status()).isEqualTo(415);
    assertThat(send("plain", TOKEN, "[1]").status()).isEqualTo(400);
    assertThat(send("plain", TOKEN, "{\"a\": \"" + "x".repeat(70_000) + "\"}").status())
        .isEqualTo(413);
    assertThat(send("plain", TOKEN, "{\"a\": \"" + "x".repeat(300_000) + "\"}").status())
        .isEqualTo(413);
  }

  private Answer send(String hook, String token, String body, String... headers) {
    var request =
        api.anonymous("/hooks/" + hook + "/" + token)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return api.send(request);
  }

  private static String hmac(String text) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(KEY.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
