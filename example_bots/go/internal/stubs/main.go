// Command stubs makes the package gen/sixtysix/v1 from the protocol's files, with the generators that go.mod pins. It
// needs no protoc.
package main

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/protoutil"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

//go:generate go run .

const (
	root   = "../.." // of the module, from the folder of this package, in which go generate and go test run
	protos = "../../protos"
	out    = "gen"
	pkg    = "example.com/sixtysix-go-bot/gen/sixtysix/v1;sixtysixv1"
)

// sources are the files that a bot needs, each after those that it imports.
var sources = []string{
	"sixtysix/v1/cards.proto",
	"sixtysix/v1/deal.proto",
	"sixtysix/v1/rules.proto",
	"sixtysix/v1/bot_service.proto",
}

func main() {
	log.SetFlags(0)
	if err := write(context.Background()); err != nil {
		log.Fatalf("error: %v", err)
	}
}

func write(ctx context.Context) error {
	files, err := generate(ctx)
	if err != nil {
		return err
	}
	for name, content := range files {
		path := filepath.Join(root, out, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// generate returns the content of each generated file by its path below out.
func generate(ctx context.Context) (map[string]string, error) {
	compiler := protocompile.Compiler{
		Resolver:       &protocompile.SourceResolver{ImportPaths: []string{filepath.Join(root, protos)}},
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	compiled, err := compiler.Compile(ctx, sources...)
	if err != nil {
		return nil, err
	}
	parameter := "paths=source_relative"
	var descriptors []*descriptorpb.FileDescriptorProto
	for _, file := range compiled {
		parameter += fmt.Sprintf(",M%s=%s", file.Path(), pkg)
		descriptors = append(descriptors, protoutil.ProtoFromFileDescriptor(file))
	}
	request, err := proto.Marshal(&pluginpb.CodeGeneratorRequest{
		FileToGenerate: sources,
		Parameter:      proto.String(parameter),
		ProtoFile:      descriptors,
	})
	if err != nil {
		return nil, err
	}
	files := make(map[string]string)
	for _, plugin := range []string{"protoc-gen-go", "protoc-gen-go-grpc"} {
		response, err := run(ctx, plugin, request)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", plugin, err)
		}
		for _, file := range response.GetFile() {
			files[file.GetName()] = file.GetContent()
		}
	}
	return files, nil
}

// run lets a generator answer a request, as protoc would.
func run(ctx context.Context, plugin string, request []byte) (*pluginpb.CodeGeneratorResponse, error) {
	command := exec.CommandContext(ctx, "go", "tool", plugin)
	command.Stdin = bytes.NewReader(request)
	command.Stderr = os.Stderr
	answer, err := command.Output()
	if err != nil {
		return nil, err
	}
	response := new(pluginpb.CodeGeneratorResponse)
	if err := proto.Unmarshal(answer, response); err != nil {
		return nil, err
	}
	if problem := response.GetError(); problem != "" {
		return nil, fmt.Errorf("%s", problem)
	}
	return response, nil
}
