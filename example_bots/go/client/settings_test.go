package client

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func readMap(variables map[string]string) (Settings, error) {
	return readSettings(func(name string) string { return variables[name] })
}

// with returns settings that are enough, and further ones.
func with(further ...string) map[string]string {
	variables := map[string]string{addressVariable: "127.0.0.1:6600", tokenVariable: "secret"}
	for i := 0; i < len(further); i += 2 {
		variables[further[i]] = further[i+1]
	}
	return variables
}

// certificate writes a certificate and its key.
func certificate(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1)}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, kind string, content []byte) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return write("cert.pem", "CERTIFICATE", signed), write("key.pem", "PRIVATE KEY", encoded)
}

func TestAddressAndTokenAreEnough(t *testing.T) {
	settings, err := readMap(with())
	if err != nil {
		t.Fatal(err)
	}
	if settings != (Settings{Address: "127.0.0.1:6600", Token: "secret"}) {
		t.Errorf("settings %+v", settings)
	}
}

func TestTLS(t *testing.T) {
	cert, key := certificate(t)
	public, err := readMap(with(caVariable, "system"))
	if err != nil || public.TLS == nil || public.TLS.RootCAs != nil {
		t.Errorf("public authorities: %+v, %v", public.TLS, err)
	}
	own, err := readMap(with(caVariable, cert, certVariable, cert, keyVariable, key))
	if err != nil || own.TLS.RootCAs == nil || len(own.TLS.Certificates) != 1 {
		t.Errorf("own authority: %+v, %v", own.TLS, err)
	}
}

func TestWhatIsMissingOrWrongIsNamed(t *testing.T) {
	cert, key := certificate(t)
	for name, test := range map[string]struct {
		variables map[string]string
		variable  string
		problem   string
	}{
		"no address":     {with(addressVariable, ""), addressVariable, "not set"},
		"no token":       {with(tokenVariable, ""), tokenVariable, "not set"},
		"no port":        {with(addressVariable, "localhost"), addressVariable, "HOST:PORT"},
		"no host":        {with(addressVariable, ":6600"), addressVariable, "HOST:PORT"},
		"port 0":         {with(addressVariable, "localhost:0"), addressVariable, "HOST:PORT"},
		"odd token":      {with(tokenVariable, "sec\nret"), tokenVariable, "printable"},
		"no file":        {with(caVariable, "/no/such/file"), caVariable, "/no/such/file"},
		"no certificate": {with(caVariable, key), caVariable, "no certificate"},
		"no key":         {with(caVariable, cert, certVariable, cert), certVariable, keyVariable},
		"no authority":   {with(certVariable, cert, keyVariable, key), certVariable, caVariable},
		"wrong key":      {with(caVariable, cert, certVariable, cert, keyVariable, cert), certVariable, "key"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readMap(test.variables)
			var wrong *SettingsError
			if !errors.As(err, &wrong) || wrong.Variable != test.variable || !strings.Contains(wrong.Problem, test.problem) {
				t.Errorf("error %v, want one of %s with %q", err, test.variable, test.problem)
			}
		})
	}
}
