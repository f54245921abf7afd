package dev.belay.server.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.linecorp.armeria.common.HttpStatus;
import dev.belay.settings.JsonGroup;
import dev.belay.settings.Setting;
import dev.belay.settings.Settings;
import dev.belay.workflow.tree.FieldPath;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Scans a JSON body before any object is built from it. A few bytes of JSON can become hundreds of
 * bytes of objects, so the size of a body does not show its cost.
 */
final class JsonGuard {

  /** The cost of one value in all its forms on the way into the database. */
  private static final long VALUE_BYTES = 400;

  private final int valuesMax;
  private final int keysMax;
  private final int digitsMax;
  private final int nameMax;
  private final int depthMax;
  private final int stringMax;
  private final JsonFactory factory;

  JsonGuard(Settings settings) {
    this.valuesMax = settings.of(JsonGroup.JSON_VALUES_MAX);
    this.keysMax = settings.of(JsonGroup.JSON_KEYS_MAX);
    this.digitsMax = settings.of(JsonGroup.JSON_NUMBER_MAX);
    this.nameMax = settings.of(JsonGroup.JSON_NAME_MAX);
    this.depthMax = Math.min(settings.of(JsonGroup.JSON_DEPTH_MAX), JsonText.NESTING_MAX);
    this.stringMax = Math.toIntExact(settings.of(JsonGroup.JSON_STRING_MAX));
    this.factory =
        JsonFactory.builder()
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxNestingDepth(depthMax)
                    .maxStringLength(stringMax)
                    .maxNameLength(nameMax)
                    .build())
            .build();
  }

  /** Refuses malformed or oversized JSON; otherwise estimates the memory that work on it takes. */
  long cost(byte[] body) {
    try (var json = factory.createParser(body)) {
      return body.length * (long) Memory.COPIES + values(json) * VALUE_BYTES;
    } catch (JsonProcessingException e) {
      throw new Refused(JsonText.malformed(e));
    } catch (IOException e) {
      throw new Refused(HttpStatus.BAD_REQUEST, "The body is not JSON in UTF-8.");
    }
  }

  private int values(JsonParser json) throws IOException {
    var values = 0;
    for (var token = next(json); token != null; token = next(json)) {
      if (token == JsonToken.FIELD_NAME) {
        if (json.getParsingContext().getEntryCount() > keysMax) {
          throw tooMuch(
              json, "more than " + keysMax + " fields in one object", JsonGroup.JSON_KEYS_MAX);
        }
        continue;
      }
      if (token.isStructEnd()) {
        continue;
      }
      if (++values > valuesMax) {
        throw tooMuch(
            json, "more than " + valuesMax + " values in the body", JsonGroup.JSON_VALUES_MAX);
      }
      if (token.isNumeric() && json.getTextLength() > digitsMax) {
        throw tooLongNumber(json);
      }
    }
    return values;
  }

  /**
   * The next token with decoded text, as only that shows its length. The parser's own limits stop
   * the decoding of far too long text.
   */
  private @Nullable JsonToken next(JsonParser json) throws IOException {
    try {
      var token = json.nextToken();
      if (token == JsonToken.VALUE_STRING && json.getTextLength() > stringMax) {
        throw tooLong(json);
      }
      return token;
    } catch (StreamConstraintsException e) {
      if (json.getParsingContext().getNestingDepth() >= depthMax) {
        throw tooMuch(json, "values nested deeper than " + depthMax, JsonGroup.JSON_DEPTH_MAX);
      }
      // Only the parser's message shows which limit was exceeded.
      if (e.getOriginalMessage().startsWith("Number")) {
        throw tooLongNumber(json);
      }
      throw e.getOriginalMessage().startsWith("Name")
          ? tooMuch(
              json,
              "a field's name longer than " + nameMax + " characters",
              JsonGroup.JSON_NAME_MAX)
          : tooLong(json);
    }
  }

  private Refused tooLongNumber(JsonParser json) {
    return tooMuch(
        json, "a number longer than " + digitsMax + " characters", JsonGroup.JSON_NUMBER_MAX);
  }

  private Refused tooLong(JsonParser json) {
    return tooMuch(
        json,
        "a text longer than " + JsonGroup.JSON_STRING_MAX.type().format((long) stringMax),
        JsonGroup.JSON_STRING_MAX);
  }

  private static Refused tooMuch(JsonParser json, String what, Setting<?> limit) {
    var at = json.currentLocation();
    var fault = new LinkedHashMap<String, Object>();
    fault.put("field", path(json.getParsingContext()).shown());
    fault.put("line", at.getLineNr());
    fault.put("column", at.getColumnNr());
    fault.put("message", what);
    return new Refused(
        Problem.of(
                HttpStatus.UNPROCESSABLE_ENTITY,
                "The body has "
                    + what
                    + "; nothing was stored. Send less at a time, or raise the limit "
                    + limit.name()
                    + " of the server.")
            .ofType("body-too-complex")
            .withErrors(List.<Map<String, Object>>of(fault)));
  }

  private static FieldPath path(JsonStreamContext context) {
    var before = context.getParent() == null ? FieldPath.ROOT : path(context.getParent());
    return context.hasCurrentName() || (context.inArray() && context.hasCurrentIndex())
        ? new FieldPath(before, context.getCurrentName(), context.getCurrentIndex(), 0)
        : before;
  }
}
