package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
)

// The longest response that is read.
const maxBytes = 1 << 20

// Flags evaluates flags on a server of Burgee.
type Flags struct {
	URL    string
	SDKKey string
	HTTP   *http.Client
}

// Context is a user: targetingKey, and the attributes that rules match against.
type Context map[string]any

// Value returns the value of a flag for a user. The fallback is for an unknown flag, a flag without a value, a
// value of another type and an unavailable server.
func Value[T any](flags *Flags, flagKey string, user Context, fallback T) T {
	value := fallback
	if err := flags.evaluate(flagKey, user, &value); err != nil {
		log.Printf("%s: %v", flagKey, err)
		return fallback
	}
	return value
}

func (flags *Flags) evaluate(flagKey string, user Context, value any) error {
	body, err := json.Marshal(map[string]any{"context": user})
	if err != nil {
		return err
	}
	address := flags.URL + "/ofrep/v1/evaluate/flags/" + url.PathEscape(flagKey)
	request, err := http.NewRequest(http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+flags.SDKKey)
	request.Header.Set("Content-Type", "application/json")
	response, err := flags.HTTP.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxBytes))
	if err != nil {
		return err
	}
	var result struct {
		Value        json.RawMessage
		ErrorDetails string
	}
	if err := json.Unmarshal(text, &result); err != nil {
		return fmt.Errorf("status %d without JSON", response.StatusCode)
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d: %s", response.StatusCode, result.ErrorDetails)
	}
	// Without a value, the fallback applies.
	if result.Value == nil {
		return nil
	}
	return json.Unmarshal(result.Value, value)
}
