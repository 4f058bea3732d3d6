module burgee-example-go-ofrep

go 1.22
