package client

import (
	"context"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"

	pb "example.com/sixtysix-go-bot/gen/sixtysix/v1"
)

const (
	// A silent network is noticed soon: 10 s is the least that gRPC for Go allows.
	keepaliveTime    = 10 * time.Second
	keepaliveTimeout = 4 * time.Second
	// connectTime is the most that a connection may take to open.
	connectTime = 10 * time.Second
)

// playStream is one call of Play.
type playStream = grpc.BidiStreamingClient[pb.PlayRequest, pb.PlayResponse]

// connect prepares a connection. Each attempt has one of its own, so that gRPC adds no waiting time to that of the
// client.
func connect(settings Settings) (*grpc.ClientConn, error) {
	encryption := insecure.NewCredentials()
	if settings.TLS != nil {
		encryption = credentials.NewTLS(settings.TLS)
	}
	return grpc.NewClient("dns:///"+settings.Address,
		grpc.WithTransportCredentials(encryption),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: keepaliveTime, Timeout: keepaliveTimeout}),
		grpc.WithConnectParams(grpc.ConnectParams{Backoff: backoff.DefaultConfig, MinConnectTimeout: connectTime}),
	)
}

// play opens the stream; it waits until there is a connection or none can be had.
func play(ctx context.Context, connection *grpc.ClientConn, token string) (playStream, error) {
	ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+token)
	return pb.NewBotServiceClient(connection).Play(ctx)
}
