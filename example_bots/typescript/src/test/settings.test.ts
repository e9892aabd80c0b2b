import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { readSettings, SettingsError } from "../client/settings.js";

const ENOUGH = { SIXTYSIX_ADDRESS: "127.0.0.1:6600", SIXTYSIX_TOKEN: "secret" };
const NO_PEM = fileURLToPath(import.meta.url);

test("address and token are enough", () => {
  assert.deepEqual(readSettings(ENOUGH), { address: "127.0.0.1:6600", token: "secret", name: "", tls: null });
  assert.equal(readSettings({ ...ENOUGH, SIXTYSIX_BOT_NAME: "ada" }).name, "ada");
  assert.equal(readSettings({ ...ENOUGH, SIXTYSIX_ADDRESS: "[::1]:6600" }).address, "[::1]:6600");
});

test("the public authorities need no file", () => {
  const { tls } = readSettings({ ...ENOUGH, SIXTYSIX_TLS_CA: "system" });
  assert.deepEqual(tls, { authorities: null, identity: null });
});

for (const [named, variables] of [
  ["set SIXTYSIX_ADDRESS", { SIXTYSIX_ADDRESS: undefined }],
  ["set SIXTYSIX_TOKEN", { SIXTYSIX_TOKEN: "" }],
  ["HOST:PORT", { SIXTYSIX_ADDRESS: "localhost" }],
  ["HOST:PORT", { SIXTYSIX_ADDRESS: "localhost:0" }],
  ["HOST:PORT", { SIXTYSIX_ADDRESS: ":6600" }],
  ["printable", { SIXTYSIX_TOKEN: "sec\nret" }],
  ["set both", { SIXTYSIX_TLS_CA: "system", SIXTYSIX_TLS_CERT: "a.pem" }],
  ["SIXTYSIX_TLS_CA too", { SIXTYSIX_TLS_CERT: "a.pem", SIXTYSIX_TLS_KEY: "b.pem" }],
  ["SIXTYSIX_TLS_CA: ", { SIXTYSIX_TLS_CA: "/no/such/file" }],
  ["not a PEM file", { SIXTYSIX_TLS_CA: NO_PEM }],
] as const) {
  test(`refused: ${JSON.stringify(variables)}`, () => {
    assert.throws(
      () => readSettings({ ...ENOUGH, ...variables }),
      (error) => error instanceof SettingsError && error.message.includes(named),
    );
  });
}
