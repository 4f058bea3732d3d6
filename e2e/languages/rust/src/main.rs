//! Evaluates flags with the official OFREP provider: reads a request from stdin, prints one JSON line for each.

use open_feature::provider::{FeatureProvider, ResolutionDetails};
use open_feature::{EvaluationContext, EvaluationError, StructValue, Value as Resolved};
use open_feature_ofrep::{OfrepOptions, OfrepProvider};
use reqwest::header::HeaderMap;
use serde_json::{Value, json};

type Failure = Box<dyn std::error::Error>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let request: Value = serde_json::from_reader(std::io::stdin())?;
    let mut headers = HeaderMap::new();
    headers.insert("X-API-Key", text(&request["sdkKey"]).parse()?);
    let base_url = text(&request["url"]).to_string();
    let options = OfrepOptions { base_url, headers, ..OfrepOptions::default() };
    let provider = OfrepProvider::new(options).await.map_err(|error| format!("{error:?}"))?;
    for each in request["evaluations"].as_array().ok_or("no evaluations")? {
        println!("{}", evaluate(&provider, each).await);
    }
    Ok(())
}

async fn evaluate(provider: &OfrepProvider, each: &Value) -> Value {
    let (key, default, context) = (text(&each["key"]), &each["default"], to_context(&each["context"]));
    match text(&each["type"]) {
        "boolean" => to_result(provider.resolve_bool_value(key, &context).await, default, Value::from),
        "string" => to_result(provider.resolve_string_value(key, &context).await, default, Value::from),
        "integer" => to_result(provider.resolve_int_value(key, &context).await, default, Value::from),
        "float" => to_result(provider.resolve_float_value(key, &context).await, default, Value::from),
        _ => to_result(provider.resolve_struct_value(key, &context).await, default, from_struct),
    }
}

fn to_result<T>(
    resolved: Result<ResolutionDetails<T>, EvaluationError>,
    default: &Value,
    to_json: impl Fn(T) -> Value,
) -> Value {
    match resolved {
        Ok(details) => json!({
            "value": to_json(details.value),
            "variant": details.variant,
            "reason": details.reason.map(|reason| reason.to_string()),
            "errorCode": null,
        }),
        Err(error) => json!({
            "value": default,
            "variant": null,
            "reason": "ERROR",
            "errorCode": error.code.to_string(),
        }),
    }
}

fn to_context(given: &Value) -> EvaluationContext {
    let mut context = EvaluationContext::default();
    for (name, value) in given.as_object().into_iter().flatten() {
        context = match value {
            Value::String(value) if name == "targetingKey" => context.with_targeting_key(value),
            Value::String(value) => context.with_custom_field(name, value.as_str()),
            Value::Bool(value) => context.with_custom_field(name, *value),
            Value::Number(value) => context.with_custom_field(name, value.as_i64().unwrap_or_default()),
            _ => context,
        };
    }
    context
}

fn from_struct(value: StructValue) -> Value {
    value.fields.into_iter().map(|(name, field)| (name, from_value(field))).collect()
}

fn from_value(value: Resolved) -> Value {
    match value {
        Resolved::Bool(value) => value.into(),
        Resolved::Int(value) => value.into(),
        Resolved::Float(value) => value.into(),
        Resolved::String(value) => value.into(),
        Resolved::Array(values) => values.into_iter().map(from_value).collect(),
        Resolved::Struct(value) => from_struct(value),
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
