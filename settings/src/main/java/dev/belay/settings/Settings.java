package dev.belay.settings;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The values of one process with their sources. Each value is valid, and they fit together. */
public final class Settings {

  private final ProcessKind process;
  private final Map<Setting<?>, Chosen<?>> chosen;

  /** An explicitly set value. */
  record Chosen<T>(T value, Source source) {}

  Settings(ProcessKind process, Map<Setting<?>, Chosen<?>> chosen) {
    this.process = process;
    this.chosen = Map.copyOf(chosen);
  }

  /**
   * The defaults except for the given values.
   *
   * @param given like {@code tick=200ms}
   * @throws IllegalArgumentException naming every problem
   */
  public static Settings of(ProcessKind process, String... given) {
    var layers = new Layers(process);
    Stream.of(given).forEach(layers::assignment);
    return layers
        .resolve()
        .settings()
        .orElseThrow(
            () -> new IllegalArgumentException(String.join("\n", layers.resolve().problems())));
  }

  public ProcessKind process() {
    return process;
  }

  /** The value of a setting that has a default or is required. */
  public <T> T of(Setting<T> setting) {
    return find(setting)
        .orElseThrow(() -> new IllegalArgumentException(setting.name() + " has no value"));
  }

  /** The value of an optional setting. */
  public <T> Optional<T> find(Setting<T> setting) {
    if (!setting.isOf(process)) {
      throw new IllegalArgumentException(
          "%s is no setting of the %s".formatted(setting.name(), process.word()));
    }
    Optional<T> value = chosenOf(setting);
    return value.isPresent() ? value : setting.defaultIn(this);
  }

  @SuppressWarnings("unchecked") // a setting's entry was made from that setting's type
  private <T> Optional<T> chosenOf(Setting<T> setting) {
    var found = (Chosen<T>) chosen.get(setting);
    return found == null ? Optional.empty() : Optional.of(found.value());
  }

  public Source source(Setting<?> setting) {
    Chosen<?> found = chosen.get(setting);
    return found == null ? new Source.Default() : found.source();
  }

  /** The settings of this process, in the order of the reference. */
  public List<Setting<?>> all() {
    return Catalog.of(process);
  }

  /** The value as a person writes it; hides a secret, and is empty without a value. */
  public String shown(Setting<?> setting) {
    return show(setting);
  }

  private <T> String show(Setting<T> setting) {
    Optional<T> value = find(setting);
    if (value.isEmpty()) {
      return "";
    }
    return setting.isSecret() ? "(set)" : withoutPassword(setting.type().format(value.get()));
  }

  /** The text after the question mark of a database URL may contain a password. */
  private static String withoutPassword(String text) {
    return text.startsWith("jdbc:") ? text.replaceFirst("\\?.*", "?(more)") : text;
  }

  /** The default in this process, with its value if the reference describes it in words. */
  public String shownDefault(Setting<?> setting) {
    return showDefault(setting);
  }

  private <T> String showDefault(Setting<T> setting) {
    return setting.defaultIn(this).map(setting.type()::format).orElse("");
  }
}
