package dev.belay.server.api;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.server.auth.HookKeys.Hook;
import dev.belay.settings.EventGroup;
import dev.belay.store.trigger.NewEvent;
import dev.belay.store.trigger.NewEvent.Source;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Events from other services: a path with a token, and signed bodies if a key is there. */
final class HookHandlers {

  private static final String ACTOR = "hook";
  private static final Pattern OURS = Pattern.compile("t=([0-9]{1,12}),v1=([0-9a-fA-F]{64})");
  private static final Pattern GITHUB = Pattern.compile("sha256=([0-9a-fA-F]{64})");

  private final RestDependencies parts;
  private final long dataMax;
  private final Duration skew;

  HookHandlers(RestDependencies parts) {
    this.parts = parts;
    this.dataMax = parts.settings().of(EventGroup.EVENT_DATA_MAX);
    this.skew = parts.settings().of(EventGroup.HOOK_SKEW);
  }

  HttpResponse receive(Call call) {
    var name = call.path("name");
    var bytes = call.jsonBody();
    // The same answer whether the hook is unknown or the token is wrong.
    var hook = parts.hooks().find(name).filter(found -> found.hasToken(call.path("token")));
    var key = hook.flatMap(found -> delivery(call, found, bytes));
    if (hook.isEmpty() || (hook.get().isSigned() && key.isEmpty())) {
      throw new Refused(
          HttpStatus.UNAUTHORIZED,
          "There is no such webhook, or its token, signature or time is wrong.");
    }
    var data = parts.checking().call(call, bytes.length, () -> SentEvents.data(bytes, dataMax));
    int dot = name.indexOf('.');
    var event =
        new NewEvent(
            dot < 0 ? WorkflowSpec.DEFAULT_TENANT : name.substring(0, dot),
            name.substring(dot + 1),
            key.orElseGet(() -> plainKey(call)),
            data,
            Source.HOOK,
            null);
    var stored = EventHandlers.store(parts, List.of(event), ACTOR).getFirst();
    return Answers.json(
        stored.isNew() ? HttpStatus.CREATED : HttpStatus.OK, EventHandlers.answer(stored));
  }

  /** The key of a delivery whose signature is right: a repeated one is the same event. */
  private Optional<String> delivery(Call call, Hook hook, byte[] body) {
    if (!hook.isSigned()) {
      return Optional.empty();
    }
    var ours = call.header("x-belay-signature");
    if (ours != null) {
      return ours(OURS.matcher(ours), hook, body);
    }
    var github = call.header("x-hub-signature-256");
    var id = call.header("x-github-delivery");
    return github == null || id == null
        ? Optional.empty()
        : github(GITHUB.matcher(github), id, hook, body);
  }

  private Optional<String> ours(Matcher header, Hook hook, byte[] body) {
    if (!header.matches()) {
      return Optional.empty();
    }
    var time = header.group(1);
    var signed = Instant.ofEpochSecond(Long.parseLong(time));
    boolean isRight =
        isSame(header.group(2), hook.sign((time + ".").getBytes(StandardCharsets.UTF_8), body));
    return isRight && parts.hooks().isTimely(signed, skew)
        ? Optional.of("t=" + time + "," + header.group(2).toLowerCase(Locale.ROOT))
        : Optional.empty();
  }

  private static Optional<String> github(Matcher header, String delivery, Hook hook, byte[] body) {
    return header.matches()
            && SentEvents.isKey(delivery)
            && isSame(header.group(1), hook.sign(body))
        ? Optional.of(delivery)
        : Optional.empty();
  }

  private static boolean isSame(String hex, byte[] expected) {
    return MessageDigest.isEqual(HexFormat.of().parseHex(hex), expected);
  }

  /** Without a key of its own, a sender may still name its deliveries. */
  private static @Nullable String plainKey(Call call) {
    var delivery = call.header("x-github-delivery");
    return delivery != null && SentEvents.isKey(delivery) ? delivery : Submit.key(call);
  }
}
