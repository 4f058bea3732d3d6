// Prints what flagd gives users. A line of the input is a file or a user. The answer to a file is the list of its
// flags, the answer to a user has the value of each. Null is the default of the code.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/open-feature/flagd/core/pkg/evaluator"
	"github.com/open-feature/flagd/core/pkg/logger"
	"github.com/open-feature/flagd/core/pkg/model"
	"github.com/open-feature/flagd/core/pkg/store"
	"github.com/open-feature/flagd/core/pkg/sync"
	"go.uber.org/zap"
)

type question struct {
	File json.RawMessage `json:"file"`
	Keys []string        `json:"keys"`
	User map[string]any  `json:"user"`
}

type engine struct {
	*evaluator.JSON
	keys []string
}

func main() {
	decoder := json.NewDecoder(os.Stdin)
	encoder := json.NewEncoder(os.Stdout)
	var flags engine
	for {
		var asked question
		err := decoder.Decode(&asked)
		if err == io.EOF {
			return
		}
		if err == nil && asked.File != nil {
			flags = read(asked)
			err = encoder.Encode(flags.keys)
		} else if err == nil {
			err = encoder.Encode(flags.values(asked.User))
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// A file that flagd refuses has no flags.
func read(asked question) engine {
	flags := engine{evaluator.NewJSON(logger.NewLogger(zap.NewNop(), false), store.NewFlags()), []string{}}
	flags.SetState(sync.DataSync{FlagData: string(asked.File), Source: "file"})
	for _, key := range asked.Keys {
		found := flags.ResolveAsAnyValue(context.Background(), "", key, map[string]any{})
		if found.Error == nil || found.Error.Error() != model.FlagNotFoundErrorCode {
			flags.keys = append(flags.keys, key)
		}
	}
	return flags
}

func (flags engine) values(user map[string]any) map[string]any {
	values := map[string]any{}
	for _, key := range flags.keys {
		found := flags.ResolveAsAnyValue(context.Background(), "", key, user)
		if found.Error == nil && found.Reason != "FALLBACK" && found.Reason != model.DisabledReason {
			values[key] = found.Value
		}
	}
	return values
}
