// A web server whose answers follow feature flags, over OFREP and with the standard library alone.
package main

import (
	"encoding/json"
	"log"
	"net"
	"net/http"
	"os"
	"time"
)

func main() {
	flags := &Flags{
		URL:    envOr("BURGEE_URL", "http://localhost:3000"),
		SDKKey: os.Getenv("BURGEE_SDK_KEY"),
		HTTP:   &http.Client{Timeout: 5 * time.Second},
	}
	if flags.SDKKey == "" {
		log.Fatal("Set BURGEE_SDK_KEY to an SDK key of your Burgee server, and BURGEE_URL to its address.")
	}
	http.HandleFunc("/", func(response http.ResponseWriter, request *http.Request) {
		query := request.URL.Query()
		user := Context{"targetingKey": query.Get("user"), "plan": query.Get("plan")}
		checkout := "old"
		if Value(flags, "new-checkout", user, false) {
			checkout = "new"
		}
		response.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(response).Encode(map[string]string{
			"checkout": checkout,
			"theme":    Value(flags, "theme", user, "light"),
		})
	})
	listener, err := net.Listen("tcp", "localhost:"+envOr("PORT", "4007"))
	if err != nil {
		log.Fatal(err)
	}
	log.SetFlags(0)
	log.Printf("Go listens on http://localhost:%s", envOr("PORT", "4007"))
	log.Fatal(http.Serve(listener, nil))
}

func envOr(name, fallback string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return fallback
}
