package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestTheStubsAreThoseOfTheProtocol(t *testing.T) {
	files, err := generate(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("nothing was generated")
	}
	folder := filepath.Join(root, out)
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		want, ok := files[filepath.ToSlash(name)]
		if !ok {
			t.Errorf("%s is not generated from anything", path)
			return nil
		}
		delete(files, filepath.ToSlash(name))
		have, err := os.ReadFile(path)
		if err == nil && string(have) != want {
			t.Errorf("%s is not what the protocol says: run go generate ./...", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range files {
		t.Errorf("%s is missing: run go generate ./...", name)
	}
}
