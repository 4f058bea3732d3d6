// Prints what GO Feature Flag gives users. A line of the input is a file or a user. The answer to a file is the
// list of its flags, the answer to a user has the value of each. Null is the default of the code.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/thomaspoignant/go-feature-flag/modules/core/flag"
	"github.com/thomaspoignant/go-feature-flag/modules/core/utils"
)

type question struct {
	File map[string]json.RawMessage `json:"file"`
	User *user                      `json:"user"`
}

type user struct {
	Key        string         `json:"key"`
	Attributes map[string]any `json:"attributes"`
}

type engine map[string]*flag.InternalFlag

func main() {
	slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil)))
	decoder := json.NewDecoder(os.Stdin)
	encoder := json.NewEncoder(os.Stdout)
	var flags engine
	for {
		var asked question
		err := decoder.Decode(&asked)
		if err == io.EOF {
			return
		}
		if err == nil && asked.User == nil {
			flags = read(asked.File)
			err = encoder.Encode(flags.keys())
		} else if err == nil {
			err = encoder.Encode(flags.values(*asked.User))
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func read(file map[string]json.RawMessage) engine {
	flags := engine{}
	for key, text := range file {
		var found flag.InternalFlag
		if json.Unmarshal(text, &found) == nil {
			flags[key] = &found
		}
	}
	return flags
}

func (flags engine) keys() []string {
	keys := []string{}
	for key := range flags {
		keys = append(keys, key)
	}
	return keys
}

func (flags engine) values(asked user) map[string]any {
	values := map[string]any{}
	user := utils.ConvertEvaluationCtxFromRequest(asked.Key, asked.Attributes)
	for key, found := range flags {
		values[key], _ = found.Value(key, user, flag.Context{})
	}
	return values
}
