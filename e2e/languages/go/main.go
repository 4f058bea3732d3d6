// Evaluates flags with the official OFREP provider: reads a request from stdin, prints one JSON line for each.
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"

	"github.com/open-feature/go-sdk-contrib/providers/ofrep"
	"github.com/open-feature/go-sdk/openfeature"
)

type request struct {
	URL         string       `json:"url"`
	SdkKey      string       `json:"sdkKey"`
	Evaluations []evaluation `json:"evaluations"`
}

type evaluation struct {
	Key     string         `json:"key"`
	Type    string         `json:"type"`
	Default any            `json:"default"`
	Context map[string]any `json:"context"`
}

type result struct {
	Value     any    `json:"value"`
	Variant   string `json:"variant"`
	Reason    string `json:"reason"`
	ErrorCode string `json:"errorCode"`
}

func main() {
	var asked request
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		log.Fatal(err)
	}
	provider := ofrep.NewProvider(asked.URL, ofrep.WithApiKeyAuth(asked.SdkKey))
	if err := openfeature.SetProviderAndWait(provider); err != nil {
		log.Fatal(err)
	}
	client := openfeature.NewClient("languages")
	out := json.NewEncoder(os.Stdout)
	for _, each := range asked.Evaluations {
		if err := out.Encode(evaluate(client, each)); err != nil {
			log.Fatal(err)
		}
	}
}

// evaluate returns the details of one evaluation. Its error is in the details too.
func evaluate(client *openfeature.Client, each evaluation) result {
	ctx := context.Background()
	key, _ := each.Context["targetingKey"].(string)
	delete(each.Context, "targetingKey")
	evalCtx := openfeature.NewEvaluationContext(key, each.Context)
	switch each.Type {
	case "boolean":
		details, _ := client.BooleanValueDetails(ctx, each.Key, each.Default.(bool), evalCtx)
		return toResult(details.Value, details.EvaluationDetails)
	case "string":
		details, _ := client.StringValueDetails(ctx, each.Key, each.Default.(string), evalCtx)
		return toResult(details.Value, details.EvaluationDetails)
	case "integer":
		details, _ := client.IntValueDetails(ctx, each.Key, int64(each.Default.(float64)), evalCtx)
		return toResult(details.Value, details.EvaluationDetails)
	case "float":
		details, _ := client.FloatValueDetails(ctx, each.Key, each.Default.(float64), evalCtx)
		return toResult(details.Value, details.EvaluationDetails)
	default:
		details, _ := client.ObjectValueDetails(ctx, each.Key, each.Default, evalCtx)
		return toResult(details.Value, details.EvaluationDetails)
	}
}

func toResult(value any, details openfeature.EvaluationDetails) result {
	return result{value, details.Variant, string(details.Reason), string(details.ErrorCode)}
}
