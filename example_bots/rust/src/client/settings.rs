//! Where the arbiter is and how to reach it, from the environment.

use std::{env, fmt, fs};

use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{Certificate, ClientTlsConfig, Endpoint, Identity};

const ADDRESS: &str = "SIXTYSIX_ADDRESS";
const TOKEN: &str = "SIXTYSIX_TOKEN";
const NAME: &str = "SIXTYSIX_BOT_NAME";
const TLS_CA: &str = "SIXTYSIX_TLS_CA";
const TLS_CERT: &str = "SIXTYSIX_TLS_CERT";
const TLS_KEY: &str = "SIXTYSIX_TLS_KEY";

/// Instead of a file in `SIXTYSIX_TLS_CA`: the public authorities.
const PUBLIC: &str = "system";

/// A setting that is missing or wrong; names the variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsError(String);

impl fmt::Display for SettingsError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for SettingsError {}

/// How to reach the arbiter, and as whom.
#[derive(Debug, Clone)]
pub struct Settings {
    /// `host:port`.
    pub address: String,
    /// The bot's own name for itself, for logs.
    pub name: String,
    pub(super) endpoint: Endpoint,
    pub(super) authorization: MetadataValue<Ascii>,
}

impl Settings {
    /// Reads the environment.
    ///
    /// # Errors
    ///
    /// `SettingsError` for a variable that is missing or has no valid value.
    pub fn from_env() -> Result<Self, SettingsError> {
        Self::read(|name| env::var(name).ok().filter(|value| !value.is_empty()))
    }

    fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Self, SettingsError> {
        let required = |name: &str| variable(name).ok_or_else(|| SettingsError(format!("set {name}")));
        let address = required(ADDRESS)?;
        let token = required(TOKEN)?;
        let tls = tls(variable(TLS_CA), variable(TLS_CERT), variable(TLS_KEY))?;
        let is_port = |port: &str| port.parse::<u16>().is_ok_and(|number| number > 0);
        let place = address.rsplit_once(':').filter(|(host, port)| !host.is_empty() && is_port(port));
        let wrong = || SettingsError(format!("{ADDRESS} must be HOST:PORT, not {address:?}"));
        place.ok_or_else(wrong)?;
        let scheme = if tls.is_some() { "https" } else { "http" };
        let mut endpoint = Endpoint::from_shared(format!("{scheme}://{address}")).map_err(|_| wrong())?;
        endpoint = endpoint.tcp_nodelay(true);
        if let Some(tls) = tls {
            let unusable = |error| SettingsError(format!("{TLS_CA}, {TLS_CERT} or {TLS_KEY}: {error}"));
            endpoint = endpoint.tls_config(tls).map_err(unusable)?;
        }
        let authorization = format!("Bearer {token}")
            .parse()
            .map_err(|_| SettingsError(format!("{TOKEN} must consist of printable ASCII characters")))?;
        Ok(Self { name: variable(NAME).unwrap_or_default(), address, endpoint, authorization })
    }
}

fn tls(
    authority: Option<String>,
    certificate: Option<String>,
    key: Option<String>,
) -> Result<Option<ClientTlsConfig>, SettingsError> {
    let Some(authority) = authority else {
        if certificate.is_some() || key.is_some() {
            return Err(SettingsError(format!("a certificate needs {TLS_CA} too")));
        }
        return Ok(None);
    };
    let config = if authority == PUBLIC {
        ClientTlsConfig::new().with_webpki_roots()
    } else {
        ClientTlsConfig::new().ca_certificate(Certificate::from_pem(pem(TLS_CA, &authority)?))
    };
    match (certificate, key) {
        (None, None) => Ok(Some(config)),
        (Some(certificate), Some(key)) => {
            let identity = Identity::from_pem(pem(TLS_CERT, &certificate)?, pem(TLS_KEY, &key)?);
            Ok(Some(config.identity(identity)))
        }
        _ => Err(SettingsError(format!("{TLS_CERT} and {TLS_KEY} belong together: set both"))),
    }
}

fn pem(variable: &str, path: &str) -> Result<Vec<u8>, SettingsError> {
    fs::read(path).map_err(|error| SettingsError(format!("{variable}: {path}: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Settings, String> {
        let find = |name: &str| variables.iter().find(|(one, _)| *one == name).map(|(_, value)| (*value).to_owned());
        Settings::read(find).map_err(|error| error.to_string())
    }

    #[test]
    fn address_and_token_are_enough() {
        let settings = read(&[(ADDRESS, "127.0.0.1:6600"), (TOKEN, "secret")]).expect("complete");
        assert_eq!(settings.authorization, "Bearer secret");
        assert_eq!(settings.name, "");
    }

    #[test]
    fn what_is_missing_or_wrong_is_named() {
        let cases: [(&[(&str, &str)], &str); 5] = [
            (&[(TOKEN, "secret")], ADDRESS),
            (&[(ADDRESS, "localhost:1")], TOKEN),
            (&[(ADDRESS, "localhost"), (TOKEN, "secret")], "HOST:PORT"),
            (&[(ADDRESS, "localhost:0"), (TOKEN, "secret")], "HOST:PORT"),
            (&[(ADDRESS, "localhost:1"), (TOKEN, "sec\nret")], "printable"),
        ];
        for (variables, named) in cases {
            let error = read(variables).expect_err("not valid");
            assert!(error.contains(named), "{error}");
        }
    }

    #[test]
    fn certificates_come_with_an_authority_and_a_key() {
        let base = [(ADDRESS, "localhost:1"), (TOKEN, "secret")];
        for (further, named) in [((TLS_CERT, "a.pem"), TLS_CA), ((TLS_CA, "/no/such/file"), "/no/such/file")] {
            let error = read(&[base[0], base[1], further]).expect_err("not valid");
            assert!(error.contains(named), "{error}");
        }
    }
}
