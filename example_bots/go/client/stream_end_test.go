package client

import (
	"errors"
	"io"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// refusal returns the error of a stream that the arbiter has ended for a reason; an empty one leaves the details out.
func refusal(t *testing.T, code codes.Code, reason string) error {
	t.Helper()
	state := status.New(code, "text")
	if reason != "" {
		var err error
		state, err = state.WithDetails(&errdetails.ErrorInfo{Domain: "sixtysix", Reason: reason})
		if err != nil {
			t.Fatal(err)
		}
	}
	return state.Err()
}

func TestTheEndOfAStreamSaysWhatToDo(t *testing.T) {
	for _, test := range []struct {
		err        error
		over, lost bool
		text       string
	}{
		{io.EOF, true, false, "OK"},
		{refusal(t, codes.Unavailable, ""), false, true, "Unavailable: text"},
		{refusal(t, codes.Canceled, ""), false, true, "Canceled: text"},
		{refusal(t, codes.ResourceExhausted, ""), false, false, "ResourceExhausted: text"},
		{refusal(t, codes.Unavailable, "HEARTBEAT_MISSED"), false, true, "HEARTBEAT_MISSED: text"},
		{refusal(t, codes.ResourceExhausted, "OUTBOUND_QUEUE_FULL"), false, true, "OUTBOUND_QUEUE_FULL: text"},
		{refusal(t, codes.ResourceExhausted, "RATE_EXCEEDED"), false, false, "RATE_EXCEEDED: text"},
		{refusal(t, codes.Unavailable, "DRAINING"), false, false, "DRAINING: text"},
		{refusal(t, codes.Unavailable, "TOURNAMENT_OVER"), true, false, "TOURNAMENT_OVER: text"},
		{refusal(t, codes.Unavailable, "OF_A_LATER_VERSION"), false, false, "OF_A_LATER_VERSION: text"},
		{refusal(t, codes.Aborted, "REPLACED_BY_NEWER_CONNECTION"), false, false, "REPLACED_BY_NEWER_CONNECTION: text"},
		{status.Error(codes.Unavailable, "tls: failed to verify certificate: x509"), false, false,
			"Unauthenticated: tls: failed to verify certificate: x509"},
		{errors.New("broken"), false, false, "Unknown: broken"},
	} {
		end := streamEnd(test.err)
		if end.isOver() != test.over || end.isLost() != test.lost || end.Error() != test.text {
			t.Errorf("%v: over %v, lost %v, %q; want %v, %v, %q",
				test.err, end.isOver(), end.isLost(), end, test.over, test.lost, test.text)
		}
	}
}
