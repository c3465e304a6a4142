// The hello routes on Debian's Go servers: peers KIND PORT, KIND one of fasthttp, net, httprouter, gin.
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"

	"github.com/gin-gonic/gin"
	"github.com/julienschmidt/httprouter"
	"github.com/valyala/fasthttp"
)

func hello(name string) string { return "hello " + name }

// False when the path is none of /v1/id/NUMBER.
func idOf(text string) (uint64, bool) {
	id, err := strconv.ParseUint(text, 10, 64)
	return id, err == nil
}

func tail(path, prefix string) (string, bool) {
	if len(path) > len(prefix) && path[:len(prefix)] == prefix {
		return path[len(prefix):], true
	}
	return "", false
}

func serveFast(address string) error {
	handler := func(context *fasthttp.RequestCtx) {
		path := string(context.Path())
		context.SetContentType("text/plain; charset=utf-8")
		if path == "/" {
			context.SetBodyString("hello")
		} else if path == "/simple" {
			context.SetBodyString(hello(string(context.QueryArgs().Peek("name"))))
		} else if name, ok := tail(path, "/simple/"); ok {
			context.SetBodyString(hello(name))
		} else if text, ok := tail(path, "/v1/id/"); ok {
			if id, ok := idOf(text); ok {
				context.SetContentType("application/json")
				context.SetBodyString(`{"id":` + strconv.FormatUint(id, 10) + `}`)
			}
		} else {
			context.NotFound()
		}
	}
	return fasthttp.ListenAndServe(address, handler)
}

func writeText(writer http.ResponseWriter, text string) {
	writer.Header().Set("Content-Type", "text/plain; charset=utf-8")
	io.WriteString(writer, text)
}

func writeID(writer http.ResponseWriter, text string) {
	id, ok := idOf(text)
	if !ok {
		http.Error(writer, "not found", 404)
		return
	}
	writer.Header().Set("Content-Type", "application/json")
	io.WriteString(writer, `{"id":`+strconv.FormatUint(id, 10)+`}`)
}

func serveNet(address string) error {
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { writeText(w, "hello") })
	mux.HandleFunc("/simple", func(w http.ResponseWriter, r *http.Request) { writeText(w, hello(r.URL.Query().Get("name"))) })
	mux.HandleFunc("/simple/", func(w http.ResponseWriter, r *http.Request) { writeText(w, hello(r.URL.Path[8:])) })
	mux.HandleFunc("/v1/id/", func(w http.ResponseWriter, r *http.Request) { writeID(w, r.URL.Path[7:]) })
	return http.ListenAndServe(address, mux)
}

func serveHttprouter(address string) error {
	router := httprouter.New()
	router.GET("/", func(w http.ResponseWriter, r *http.Request, _ httprouter.Params) { writeText(w, "hello") })
	router.GET("/simple", func(w http.ResponseWriter, r *http.Request, _ httprouter.Params) { writeText(w, hello(r.URL.Query().Get("name"))) })
	router.GET("/simple/:name", func(w http.ResponseWriter, r *http.Request, p httprouter.Params) { writeText(w, hello(p.ByName("name"))) })
	router.GET("/v1/id/:id", func(w http.ResponseWriter, r *http.Request, p httprouter.Params) { writeID(w, p.ByName("id")) })
	return http.ListenAndServe(address, router)
}

func serveGin(address string) error {
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	router.GET("/", func(c *gin.Context) { c.String(200, "hello") })
	router.GET("/simple", func(c *gin.Context) { c.String(200, hello(c.Query("name"))) })
	router.GET("/simple/:name", func(c *gin.Context) { c.String(200, hello(c.Param("name"))) })
	router.GET("/v1/id/:id", func(c *gin.Context) { writeID(c.Writer, c.Param("id")) })
	return http.ListenAndServe(address, router)
}

func main() {
	serve := map[string]func(string) error{"fasthttp": serveFast, "net": serveNet, "httprouter": serveHttprouter, "gin": serveGin}[os.Args[1]]
	fmt.Fprintln(os.Stderr, serve("127.0.0.1:"+os.Args[2]))
	os.Exit(1)
}
