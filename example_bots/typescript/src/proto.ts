/** The messages of the protocol and its service, generated from `protos`. */
export * from "./gen/sixtysix/v1/bot_service_pb.js";
export * from "./gen/sixtysix/v1/cards_pb.js";
export * from "./gen/sixtysix/v1/deal_pb.js";
export * from "./gen/sixtysix/v1/rules_pb.js";
export * from "./gen/sixtysix/v1/status_pb.js";
