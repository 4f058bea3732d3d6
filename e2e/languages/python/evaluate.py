"""Evaluates flags with the official OFREP provider: reads a request from stdin, prints one JSON line for each."""

import json
import sys

from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext


def main() -> None:
    request = json.load(sys.stdin)
    headers = {"X-API-Key": request["sdkKey"]}
    api.set_provider(OFREPProvider(request["url"], headers_factory=lambda: headers))
    client = api.get_client()
    evaluators = {
        "boolean": client.get_boolean_details,
        "string": client.get_string_details,
        "integer": client.get_integer_details,
        "float": client.get_float_details,
        "object": client.get_object_details,
    }
    for each in request["evaluations"]:
        attributes = dict(each["context"])
        context = EvaluationContext(attributes.pop("targetingKey", None), attributes)
        default = float(each["default"]) if each["type"] == "float" else each["default"]
        details = evaluators[each["type"]](each["key"], default, context)
        result = {
            "value": details.value,
            "variant": details.variant,
            "reason": details.reason,
            "errorCode": details.error_code.value if details.error_code else None,
        }
        print(json.dumps(result))


main()
