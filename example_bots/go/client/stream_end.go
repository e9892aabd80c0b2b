package client

import (
	"errors"
	"io"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

const domain = "sixtysix"

// notTheArbiter are the errors of TLS after which trying again helps nobody.
var notTheArbiter = []string{
	"tls: failed to verify certificate",
	"tls: first record does not look like a TLS handshake",
}

// StreamEnd says how a stream ended. It is an error where the bot cannot go on after it.
type StreamEnd struct {
	Code   codes.Code
	Reason string // name of a StatusReason; empty if the end comes from gRPC itself
	Text   string // for people
}

func (e *StreamEnd) Error() string {
	name := e.Reason
	if name == "" {
		name = e.Code.String()
	}
	if e.Text == "" {
		return name
	}
	return name + ": " + e.Text
}

// streamEnd reads the error with which a stream ended.
func streamEnd(err error) *StreamEnd {
	if errors.Is(err, io.EOF) {
		return &StreamEnd{Code: codes.OK}
	}
	state := status.Convert(err)
	end := &StreamEnd{Code: state.Code(), Text: state.Message()}
	for _, detail := range state.Details() {
		if info, ok := detail.(*errdetails.ErrorInfo); ok && info.GetDomain() == domain {
			end.Reason = info.GetReason()
			return end
		}
	}
	for _, mark := range notTheArbiter {
		if strings.Contains(end.Text, mark) {
			end.Code = codes.Unauthenticated
		}
	}
	return end
}

// isOver reports whether the tournament has come to its end.
func (e *StreamEnd) isOver() bool {
	return e.Code == codes.OK || e.Reason == "TOURNAMENT_OVER"
}

// isLost reports whether it is right to connect again, by the table of stream errors in docs/protocol.md.
func (e *StreamEnd) isLost() bool {
	if e.Reason != "" {
		return e.Reason == "HEARTBEAT_MISSED" || e.Reason == "OUTBOUND_QUEUE_FULL"
	}
	return e.Code == codes.Unavailable || e.Code == codes.Canceled
}
