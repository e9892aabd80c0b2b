package client

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"os"
	"strconv"
)

const (
	addressVariable = "SIXTYSIX_ADDRESS"
	tokenVariable   = "SIXTYSIX_TOKEN"
	nameVariable    = "SIXTYSIX_BOT_NAME"
	caVariable      = "SIXTYSIX_TLS_CA"
	certVariable    = "SIXTYSIX_TLS_CERT"
	keyVariable     = "SIXTYSIX_TLS_KEY"

	// publicAuthorities stands for the public authorities in place of a file with some.
	publicAuthorities = "system"
)

// Settings say where and as whom to play.
type Settings struct {
	Address string // host:port
	Token   string
	Name    string      // may be empty
	TLS     *tls.Config // nil: nothing is encrypted
}

// SettingsError is a setting that is missing or wrong.
type SettingsError struct {
	Variable string
	Problem  string
}

func (e *SettingsError) Error() string {
	return e.Variable + ": " + e.Problem
}

// SettingsFromEnvironment reads the SIXTYSIX_ variables. Its errors are of the type *SettingsError.
func SettingsFromEnvironment() (Settings, error) {
	return readSettings(os.Getenv)
}

func readSettings(get func(string) string) (Settings, error) {
	settings := Settings{Address: get(addressVariable), Token: get(tokenVariable), Name: get(nameVariable)}
	if err := checkAddress(settings.Address); err != nil {
		return Settings{}, err
	}
	if err := checkToken(settings.Token); err != nil {
		return Settings{}, err
	}
	config, err := readTLS(get(caVariable), get(certVariable), get(keyVariable))
	if err != nil {
		return Settings{}, err
	}
	settings.TLS = config
	return settings, nil
}

func checkAddress(address string) error {
	if address == "" {
		return &SettingsError{addressVariable, "is not set"}
	}
	host, port, err := net.SplitHostPort(address)
	number, portErr := strconv.ParseUint(port, 10, 16)
	if err != nil || portErr != nil || host == "" || number == 0 {
		return &SettingsError{addressVariable, fmt.Sprintf("must be HOST:PORT, not %q", address)}
	}
	return nil
}

func checkToken(token string) error {
	if token == "" {
		return &SettingsError{tokenVariable, "is not set"}
	}
	for _, letter := range token {
		if letter < ' ' || letter > '~' {
			return &SettingsError{tokenVariable, "must consist of printable ASCII characters"}
		}
	}
	return nil
}

func readTLS(ca, cert, key string) (*tls.Config, error) {
	if (cert == "") != (key == "") {
		return nil, &SettingsError{certVariable, "belongs together with " + keyVariable + ": set both"}
	}
	if ca == "" {
		if cert != "" {
			return nil, &SettingsError{certVariable, "is shown to an arbiter that is known: set " + caVariable + " too"}
		}
		return nil, nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if ca != publicAuthorities {
		pem, err := os.ReadFile(ca)
		if err != nil {
			return nil, &SettingsError{caVariable, err.Error()}
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, &SettingsError{caVariable, ca + " holds no certificate"}
		}
	}
	if cert != "" {
		pair, err := tls.LoadX509KeyPair(cert, key)
		if err != nil {
			return nil, &SettingsError{certVariable, err.Error()}
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}
