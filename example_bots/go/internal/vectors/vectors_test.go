// Package vectors tests the stubs and the bot with the messages of the project's vectors.
package vectors

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"example.com/sixtysix-go-bot/client"
	pb "example.com/sixtysix-go-bot/gen/sixtysix/v1"
	"example.com/sixtysix-go-bot/greedy"
)

const (
	// folderVariable names another folder than the one of the repository.
	folderVariable = "SIXTYSIX_VECTORS"
	folder         = "../../../../vectors"
)

type vector struct {
	Title string
	Type  protoreflect.FullName
	JSON  json.RawMessage
	Hex   string
	Later bool // a later version has added something that is to be skipped
}

// message returns the message of the bytes, or nil for a type that a bot does not need.
func (v vector) message(t *testing.T) proto.Message {
	t.Helper()
	kind, err := protoregistry.GlobalTypes.FindMessageByName(v.Type)
	if errors.Is(err, protoregistry.NotFound) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := hex.DecodeString(v.Hex)
	if err != nil {
		t.Fatal(err)
	}
	message := kind.New().Interface()
	if err := proto.Unmarshal(encoded, message); err != nil {
		t.Fatal(err)
	}
	return message
}

func vectors(t *testing.T) []vector {
	t.Helper()
	place := os.Getenv(folderVariable)
	if place == "" {
		place = folder
	}
	file, err := os.Open(filepath.Join(place, "messages.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	var all []vector
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestMessagesAreReadAndWritten(t *testing.T) {
	checked := 0
	for _, v := range vectors(t) {
		got := v.message(t)
		if got == nil {
			continue
		}
		checked++
		want := got.ProtoReflect().New().Interface()
		if err := protojson.Unmarshal(v.JSON, want); err != nil {
			t.Fatalf("%s, %s: %v", v.Type, v.Title, err)
		}
		if v.Later {
			dropUnknown(got.ProtoReflect())
		} else if encoded, err := (proto.MarshalOptions{Deterministic: true}).Marshal(got); err != nil {
			t.Error(err)
		} else if hex.EncodeToString(encoded) != v.Hex {
			t.Errorf("%s, %s: written as %x, want %s", v.Type, v.Title, encoded, v.Hex)
		}
		if !proto.Equal(got, want) {
			t.Errorf("%s, %s: %v, want %v", v.Type, v.Title, got, want)
		}
	}
	if checked < 100 {
		t.Errorf("only %d messages", checked)
	}
}

// dropUnknown removes the fields that a later version has added.
func dropUnknown(message protoreflect.Message) {
	message.SetUnknown(nil)
	message.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		if field.Message() != nil && !field.IsList() {
			dropUnknown(value.Message())
		}
		return true
	})
}

func TestTheBotDecidesByEveryRuleSetInEveryStage(t *testing.T) {
	rules := make(map[string]*pb.RuleSet)
	decisions := make(map[string]*pb.Decision)
	for _, v := range vectors(t) {
		if _, name, ok := strings.Cut(v.Title, "rule set "); ok {
			rules[name] = v.message(t).(*pb.RuleSet)
		}
		if _, name, ok := strings.Cut(v.Title, "decision: "); ok {
			decisions[name] = v.message(t).(*pb.Decision)
		}
	}
	if len(rules) == 0 || len(decisions) == 0 {
		t.Fatalf("%d rule sets and %d decisions", len(rules), len(decisions))
	}
	for name, set := range rules {
		if err := client.CheckRules(set); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for title, decision := range decisions {
		name, _, _ := strings.Cut(title, ", ")
		question := &client.Question{Offer: &pb.MatchOffered{Rules: rules[name]}, Decision: decision}
		action, err := greedy.Choose(t.Context(), question)
		if err != nil {
			t.Errorf("%s: %v", title, err)
			continue
		}
		isChosen := func(legal *pb.Action) bool { return proto.Equal(legal, action) }
		if !slices.ContainsFunc(decision.GetLegalActions(), isChosen) {
			t.Errorf("%s: %v is not legal", title, action)
		}
		enough := decision.GetObservation().GetOwnCardPoints() >= rules[name].GetClaimPoints()
		if action.GetKind() == pb.ActionKind_ACTION_KIND_CLAIM && !enough {
			t.Errorf("%s: a false claim", title)
		}
	}
}
