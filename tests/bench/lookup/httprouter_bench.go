// Nanoseconds a lookup of httprouter on the requests of lookup_bench.cc. Prints the same lines.
package main

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/julienschmidt/httprouter"
)

type request struct {
	method, path string
	route        int
}

var seen int

func handlerOf(number int) httprouter.Handle {
	return func(_ http.ResponseWriter, _ *http.Request, _ httprouter.Params) { seen = number }
}

func readLines(name string) []string {
	file, err := os.Open(name)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	defer file.Close()
	var lines []string
	for scanner := bufio.NewScanner(file); scanner.Scan(); {
		lines = append(lines, scanner.Text())
	}
	return lines
}

func find(router *httprouter.Router, request *request) int {
	handle, params, _ := router.Lookup(request.method, request.path)
	if handle == nil {
		return -1
	}
	for i := range params {
		seen += int(params[i].Value[0])
	}
	handle(nil, nil, nil)
	return seen
}

func measure(router *httprouter.Router, set, kind string, requests []request) {
	for i := range requests {
		if route := find(router, &requests[i]); route != requests[i].route {
			fmt.Fprintln(os.Stderr, "httprouter:", requests[i].path, "gives", route)
			os.Exit(1)
		}
	}
	passes := 1000000/len(requests) + 1
	sum := 0
	start := time.Now()
	for pass := 0; pass < passes; pass++ {
		for i := range requests {
			sum += find(router, &requests[i])
		}
	}
	ns := float64(time.Since(start).Nanoseconds()) / float64(passes*len(requests))
	fmt.Printf("httprouter %s %s %.2f %d\n", set, kind, ns, sum)
}

func main() {
	folder := os.Args[1]
	for _, set := range []string{"static", "github"} {
		router := httprouter.New()
		for number, line := range readLines(folder + "/" + set + ".routes") {
			method, path, _ := strings.Cut(line, " ")
			path = strings.NewReplacer("{", ":", "}", "").Replace(path)
			router.Handle(method, path, handlerOf(number))
		}
		for _, kind := range []string{"hit", "miss", "wrong_method"} {
			var requests []request
			for _, line := range readLines(folder + "/" + set + "." + kind) {
				var r request
				fmt.Sscan(line, &r.route, &r.method, &r.path)
				requests = append(requests, r)
			}
			measure(router, set, kind, requests)
		}
	}
}
