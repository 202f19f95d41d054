// Renders the chart as Helm does: Go's text/template with the functions of sprig and the few that Helm adds. For machines
// without Helm: Debian's golang-go, golang-github-masterminds-sprig-dev and golang-gopkg-yaml.v3-dev are enough to run it.
//
//	render CHART NAME NAMESPACE [VALUES …]
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

type files struct{ root string }

func (f files) Get(name string) string {
	text, err := os.ReadFile(filepath.Join(f.root, name))
	if err != nil {
		return ""
	}
	return string(text)
}

func read(path string) map[string]interface{} {
	text, err := os.ReadFile(path)
	check(err)
	var loaded interface{}
	check(yaml.Unmarshal(text, &loaded))
	// Through JSON, as in Helm: numbers become floats and keys strings.
	asJSON, err := json.Marshal(loaded)
	check(err)
	found := map[string]interface{}{}
	check(json.Unmarshal(asJSON, &found))
	return found
}

func merge(into, from map[string]interface{}) {
	for key, value := range from {
		old, isMap := into[key].(map[string]interface{})
		if fresh, ok := value.(map[string]interface{}); ok && isMap {
			merge(old, fresh)
		} else {
			into[key] = value
		}
	}
}

// fromYaml is Helm's: the object of a document, or an object with the key Error.
func fromYaml(text string) map[string]interface{} {
	loaded := map[string]interface{}{}
	if problem := yaml.Unmarshal([]byte(text), &loaded); problem != nil {
		loaded["Error"] = problem.Error()
	}
	return loaded
}

func toYaml(value interface{}) (string, error) {
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(value); err != nil {
		return "", err
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	root, name, namespace := os.Args[1], os.Args[2], os.Args[3]
	values := read(filepath.Join(root, "values.yaml"))
	for _, path := range os.Args[4:] {
		merge(values, read(path))
	}
	chart := read(filepath.Join(root, "Chart.yaml"))
	all := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	delete(functions, "env")
	delete(functions, "expandenv")
	functions["toYaml"] = toYaml
	functions["fromYaml"] = fromYaml
	functions["include"] = func(name string, data interface{}) (string, error) {
		var out strings.Builder
		err := all.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	functions["required"] = func(why string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(why)
		}
		return value, nil
	}
	all.Funcs(functions)
	paths, err := filepath.Glob(filepath.Join(root, "templates", "*"))
	check(err)
	sort.Strings(paths)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		check(err)
		_, err = all.New(filepath.Base(path)).Parse(string(text))
		check(err)
	}
	data := map[string]interface{}{
		"Values": values,
		"Files":  files{root},
		"Chart":  map[string]interface{}{"Name": chart["name"], "Version": chart["version"], "AppVersion": chart["appVersion"]},
		"Release": map[string]interface{}{"Name": name, "Namespace": namespace, "Service": "Helm"},
	}
	for _, path := range paths {
		base := filepath.Base(path)
		if strings.HasPrefix(base, "_") || !strings.HasSuffix(base, ".yaml") {
			continue
		}
		var out strings.Builder
		check(all.ExecuteTemplate(&out, base, data))
		if text := strings.TrimSpace(out.String()); text != "" {
			fmt.Printf("---\n# Source: sagascript/templates/%s\n%s\n", base, strings.TrimPrefix(text, "---\n"))
		}
	}
}
