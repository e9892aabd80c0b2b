package sixtysix.client;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.protobuf.StatusProto;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How a stream ended, and whether to connect again.
 *
 * @param code the gRPC status
 * @param reason by the table of stream errors in the protocol; empty if gRPC itself ended the stream
 * @param message for people
 */
record StreamEnd(Code code, String reason, String message) {
    private static final String DOMAIN = "sixtysix";
    private static final Set<String> LOST_REASONS = Set.of("HEARTBEAT_MISSED", "OUTBOUND_QUEUE_FULL");
    private static final Set<Code> LOST_CODES = Set.of(Code.UNAVAILABLE, Code.CANCELLED, Code.UNKNOWN, Code.INTERNAL);

    /** The arbiter ended the stream in good order. */
    static StreamEnd ok() {
        return new StreamEnd(Code.OK, "", "");
    }

    /** The stream ended with an error. */
    static StreamEnd of(Throwable error) {
        Status status = Status.fromThrowable(error);
        String message = Stream.concat(
                        Stream.ofNullable(status.getDescription()), rootMessage(status.getCause()).stream())
                .map(StreamEnd::firstLine)
                .collect(Collectors.joining(": "));
        return new StreamEnd(status.getCode(), reasonOf(error), message);
    }

    /** Is the tournament over? */
    boolean isOver() {
        return code == Code.OK || reason.equals("TOURNAMENT_OVER");
    }

    /** Was the connection lost, so that the session may be resumed? */
    boolean isLost() {
        return reason.isEmpty() ? LOST_CODES.contains(code) : LOST_REASONS.contains(reason);
    }

    @Override
    public String toString() {
        String what = reason.isEmpty() ? code.toString() : reason;
        return message.isEmpty() ? what : what + ": " + message;
    }

    private static String reasonOf(Throwable error) {
        com.google.rpc.Status status = StatusProto.fromThrowable(error);
        if (status == null) {
            return "";
        }
        try {
            for (Any detail : status.getDetailsList()) {
                if (detail.is(ErrorInfo.class)) {
                    ErrorInfo info = detail.unpack(ErrorInfo.class);
                    if (info.getDomain().equals(DOMAIN)) {
                        return info.getReason();
                    }
                }
            }
        } catch (InvalidProtocolBufferException unreadable) {
            return ""; // not from an arbiter
        }
        return "";
    }

    /** What is at the bottom of an error, such as a refused connection or a certificate of nobody's. */
    private static Optional<String> rootMessage(Throwable error) {
        return Stream.iterate(error, Objects::nonNull, Throwable::getCause)
                .map(Throwable::getMessage)
                .filter(Objects::nonNull)
                .reduce((outer, inner) -> inner);
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }
}
