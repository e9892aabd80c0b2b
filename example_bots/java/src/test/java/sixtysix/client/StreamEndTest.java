package sixtysix.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Any;
import com.google.rpc.ErrorInfo;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StreamEndTest {
    static StatusRuntimeException error(Code code, String reason, String domain) {
        ErrorInfo info =
                ErrorInfo.newBuilder().setReason(reason).setDomain(domain).build();
        return StatusProto.toStatusRuntimeException(com.google.rpc.Status.newBuilder()
                .setCode(code.value())
                .setMessage("text")
                .addDetails(Any.pack(info))
                .build());
    }

    @ParameterizedTest
    @CsvSource({
        "UNAVAILABLE, HEARTBEAT_MISSED, false, true",
        "RESOURCE_EXHAUSTED, OUTBOUND_QUEUE_FULL, false, true",
        "RESOURCE_EXHAUSTED, RATE_EXCEEDED, false, false",
        "UNAVAILABLE, DRAINING, false, false",
        "UNAVAILABLE, TOURNAMENT_OVER, true, false",
        "ABORTED, REPLACED_BY_NEWER_CONNECTION, false, false",
        "FAILED_PRECONDITION, RULE_SET_UNSUPPORTED, false, false",
        "UNAVAILABLE, SOMETHING_OF_A_LATER_VERSION, false, false",
    })
    void theReasonSaysWhatToDo(Code code, String reason, boolean over, boolean lost) {
        StreamEnd end = StreamEnd.of(error(code, reason, "sixtysix"));
        assertEquals(new StreamEnd(code, reason, "text"), end);
        assertEquals(over, end.isOver());
        assertEquals(lost, end.isLost());
        assertEquals(reason + ": text", end.toString());
    }

    @ParameterizedTest
    @CsvSource({"UNAVAILABLE, true", "CANCELLED, true", "RESOURCE_EXHAUSTED, false", "UNIMPLEMENTED, false"})
    void withoutAReasonTheStatusSaysIt(Code code, boolean lost) {
        StreamEnd end = StreamEnd.of(code.toStatus().withDescription("gone").asRuntimeException());
        assertFalse(end.isOver());
        assertEquals(lost, end.isLost());
        assertEquals(code + ": gone", end.toString());
    }

    @Test
    void reasonsOfOthersAreNone() {
        assertEquals(
                "",
                StreamEnd.of(error(Code.UNAVAILABLE, "OTHER", "example.org")).reason());
    }

    @Test
    void theMessageIsOneLineWithItsCause() {
        Status status = Status.UNAVAILABLE
                .withDescription("io exception")
                .withCause(new Exception("outer", new Exception("refused\nby all")));
        assertEquals(
                "UNAVAILABLE: io exception: refused",
                StreamEnd.of(status.asRuntimeException()).toString());
    }

    @Test
    void aStreamThatEndsInOrderIsTheEnd() {
        assertTrue(StreamEnd.ok().isOver());
    }
}
