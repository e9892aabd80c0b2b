/** Where the arbiter is and as whom to play, from the environment. */
import { readFileSync } from "node:fs";

/** What a TLS connection needs, as the contents of PEM files. */
export interface Tls {
  /** Authorities that may vouch for the arbiter; null: the public ones. */
  readonly authorities: Buffer | null;
  /** What to show to an arbiter that asks for a certificate, or null. */
  readonly identity: { readonly certificate: Buffer; readonly key: Buffer } | null;
}

export interface Settings {
  /** `host:port`. */
  readonly address: string;
  readonly token: string;
  /** The bot's own name for itself, for logs; may be empty. */
  readonly name: string;
  /** null: nothing is encrypted. */
  readonly tls: Tls | null;
}

/** A setting is missing or wrong; the message names the variable. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** Instead of a file in SIXTYSIX_TLS_CA. */
const PUBLIC_AUTHORITIES = "system";

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the SIXTYSIX_ variables. Throws SettingsError. */
export function readSettings(environment: Environment): Settings {
  const address = required(environment, "SIXTYSIX_ADDRESS");
  if (!isHostAndPort(address)) {
    throw new SettingsError(`SIXTYSIX_ADDRESS must be HOST:PORT, not ${JSON.stringify(address)}`);
  }
  const token = required(environment, "SIXTYSIX_TOKEN");
  if (!/^[\x20-\x7e]+$/.test(token)) {
    throw new SettingsError("SIXTYSIX_TOKEN must consist of printable ASCII characters");
  }
  return { address, token, name: environment.SIXTYSIX_BOT_NAME ?? "", tls: readTls(environment) };
}

function readTls(environment: Environment): Tls | null {
  const authorities = optional(environment, "SIXTYSIX_TLS_CA");
  const certificate = optional(environment, "SIXTYSIX_TLS_CERT");
  const key = optional(environment, "SIXTYSIX_TLS_KEY");
  if ((certificate === null) !== (key === null)) {
    throw new SettingsError("SIXTYSIX_TLS_CERT and SIXTYSIX_TLS_KEY belong together: set both");
  }
  if (authorities === null) {
    if (certificate !== null) {
      throw new SettingsError("a certificate is shown to an arbiter that is known: set SIXTYSIX_TLS_CA too");
    }
    return null;
  }
  return {
    authorities: authorities === PUBLIC_AUTHORITIES ? null : readPem("SIXTYSIX_TLS_CA", authorities),
    identity:
      certificate === null || key === null
        ? null
        : { certificate: readPem("SIXTYSIX_TLS_CERT", certificate), key: readPem("SIXTYSIX_TLS_KEY", key) },
  };
}

function optional(environment: Environment, variable: string): string | null {
  const value = environment[variable];
  return value === undefined || value === "" ? null : value;
}

function required(environment: Environment, variable: string): string {
  const value = optional(environment, variable);
  if (value === null) throw new SettingsError(`set ${variable}`);
  return value;
}

function isHostAndPort(address: string): boolean {
  const port = /^.+:(\d{1,5})$/.exec(address)?.[1];
  return port !== undefined && Number(port) >= 1 && Number(port) <= 65535;
}

function readPem(variable: string, path: string): Buffer {
  let pem: Buffer;
  try {
    pem = readFileSync(path);
  } catch (error) {
    throw new SettingsError(`${variable}: ${String(error)}`);
  }
  // OpenSSL would pass over a file without a certificate, and trust nobody.
  if (!pem.includes("-----BEGIN ")) throw new SettingsError(`${variable}: ${path} is not a PEM file`);
  return pem;
}
