package client

import (
	"fmt"

	"google.golang.org/protobuf/reflect/protoreflect"

	pb "example.com/sixtysix-go-bot/gen/sixtysix/v1"
)

// CheckRules refuses rules with a value that is not known here, with a *ProtocolError: no bot should play by rules that
// it does not know.
func CheckRules(rules *pb.RuleSet) error {
	if rules == nil {
		return &ProtocolError{"a match was offered without rules"}
	}
	if len(rules.GetRanks()) == 0 || len(rules.GetRanks()) != len(rules.GetCardPoints()) {
		return &ProtocolError{"rules.card_points does not have the points of each rank"}
	}
	message := rules.ProtoReflect()
	fields := message.Descriptor().Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		if field.Kind() != protoreflect.EnumKind {
			continue
		}
		value := message.Get(field)
		if !field.IsList() {
			if err := checkEnum(field, value.Enum()); err != nil {
				return err
			}
			continue
		}
		for j := range value.List().Len() {
			if err := checkEnum(field, value.List().Get(j).Enum()); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkEnum(field protoreflect.FieldDescriptor, number protoreflect.EnumNumber) error {
	if number == 0 || field.Enum().Values().ByNumber(number) == nil {
		return &ProtocolError{fmt.Sprintf("rules.%s has the unknown value %d", field.Name(), number)}
	}
	return nil
}
