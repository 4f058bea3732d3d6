import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.openfeature.contrib.providers.ofrep.OfrepProvider;
import dev.openfeature.contrib.providers.ofrep.OfrepProviderOptions;
import dev.openfeature.sdk.Client;
import dev.openfeature.sdk.EvaluationContext;
import dev.openfeature.sdk.FlagEvaluationDetails;
import dev.openfeature.sdk.ImmutableContext;
import dev.openfeature.sdk.OpenFeatureAPI;
import dev.openfeature.sdk.Structure;
import dev.openfeature.sdk.Value;
import java.util.LinkedHashMap;
import java.util.Map;

/** Evaluates flags with the official OFREP provider: reads a request from stdin, prints one JSON line for each. */
public final class Evaluate {
  private static final ObjectMapper JSON = new ObjectMapper();

  public static void main(String[] arguments) throws Exception {
    JsonNode request = JSON.readTree(System.in);
    OfrepProviderOptions options =
        OfrepProviderOptions.builder()
            .baseUrl(request.get("url").asText())
            .headers(ImmutableMap.of("X-API-Key", ImmutableList.of(request.get("sdkKey").asText())))
            .build();
    OpenFeatureAPI api = OpenFeatureAPI.getInstance();
    api.setProviderAndWait(OfrepProvider.constructProvider(options));
    Client client = api.getClient();
    for (JsonNode each : request.get("evaluations")) {
      System.out.println(JSON.writeValueAsString(toResult(evaluate(client, each))));
    }
    api.shutdown();
  }

  private static FlagEvaluationDetails<?> evaluate(Client client, JsonNode each) {
    String key = each.get("key").asText();
    JsonNode otherwise = each.get("default");
    EvaluationContext context = toContext(each.get("context"));
    return switch (each.get("type").asText()) {
      case "boolean" -> client.getBooleanDetails(key, otherwise.asBoolean(), context);
      case "string" -> client.getStringDetails(key, otherwise.asText(), context);
      case "integer" -> client.getIntegerDetails(key, otherwise.asInt(), context);
      case "float" -> client.getDoubleDetails(key, otherwise.asDouble(), context);
      default -> client.getObjectDetails(key, Value.objectToValue(toObject(otherwise)), context);
    };
  }

  private static EvaluationContext toContext(JsonNode given) {
    Map<String, Value> fields = new LinkedHashMap<>();
    given
        .properties()
        .forEach(field -> fields.put(field.getKey(), Value.objectToValue(toObject(field.getValue()))));
    Value key = fields.remove("targetingKey");
    return key == null ? new ImmutableContext(fields) : new ImmutableContext(key.asString(), fields);
  }

  private static Object toObject(JsonNode node) {
    return JSON.convertValue(node, Object.class);
  }

  private static Map<String, Object> toResult(FlagEvaluationDetails<?> details) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("value", plain(details.getValue()));
    result.put("variant", details.getVariant());
    result.put("reason", details.getReason());
    result.put("errorCode", details.getErrorCode() == null ? null : details.getErrorCode().name());
    return result;
  }

  private static Object plain(Object value) {
    if (!(value instanceof Value wrapped)) return value;
    Structure structure = wrapped.asStructure();
    return structure == null ? wrapped.asObject() : structure.asObjectMap();
  }
}
