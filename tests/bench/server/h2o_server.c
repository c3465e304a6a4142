// The hello routes on libh2o: h2o_server PORT.
#define H2O_USE_LIBUV 0
#include <h2o.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static h2o_globalconf_t config;
static h2o_context_t context;
static h2o_accept_ctx_t accept_context;

static int answer(h2o_req_t *req, const char *type, h2o_iovec_t body)
{
    static h2o_generator_t generator = {NULL, NULL};
    req->res.status = 200;
    req->res.reason = "OK";
    req->res.content_length = body.len;
    h2o_add_header(&req->pool, &req->res.headers, H2O_TOKEN_CONTENT_TYPE, NULL, type, strlen(type));
    h2o_start_response(req, &generator);
    h2o_send(req, &body, 1, H2O_SEND_STATE_FINAL);
    return 0;
}

static int has_prefix(h2o_iovec_t text, const char *prefix)
{
    size_t size = strlen(prefix);
    return text.len > size && memcmp(text.base, prefix, size) == 0;
}

static int is_equal(h2o_iovec_t text, const char *other)
{
    return text.len == strlen(other) && memcmp(text.base, other, text.len) == 0;
}

static int on_request(h2o_handler_t *self, h2o_req_t *req)
{
    const char *text = "text/plain; charset=utf-8";
    h2o_iovec_t path = h2o_iovec_init(req->path.base, req->query_at == SIZE_MAX ? req->path.len : req->query_at);
    (void)self;
    if (is_equal(path, "/"))
        return answer(req, text, h2o_iovec_init(H2O_STRLIT("hello")));
    if (is_equal(path, "/simple")) {
        size_t skip = path.len + sizeof("?name=") - 1;
        return answer(req, text, h2o_concat(&req->pool, h2o_iovec_init(H2O_STRLIT("hello ")),
                                            h2o_iovec_init(req->path.base + skip, req->path.len > skip ? req->path.len - skip : 0)));
    }
    if (has_prefix(path, "/simple/"))
        return answer(req, text, h2o_concat(&req->pool, h2o_iovec_init(H2O_STRLIT("hello ")), h2o_iovec_init(path.base + 8, path.len - 8)));
    if (has_prefix(path, "/v1/id/"))
        return answer(req, "application/json", h2o_concat(&req->pool, h2o_iovec_init(H2O_STRLIT("{\"id\":")),
                                                          h2o_iovec_init(path.base + 7, path.len - 7), h2o_iovec_init(H2O_STRLIT("}"))));
    return -1;
}

static void on_accept(h2o_socket_t *listener, const char *err)
{
    h2o_socket_t *sock;
    if (err != NULL)
        return;
    while ((sock = h2o_evloop_socket_accept(listener)) != NULL)
        h2o_accept(&accept_context, sock);
}

int main(int argc, char **argv)
{
    struct sockaddr_in address = {0};
    int on = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    if (argc != 2)
        return 2;
    address.sin_family = AF_INET;
    address.sin_port = htons((unsigned short)atoi(argv[1]));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (bind(fd, (struct sockaddr *)&address, sizeof(address)) != 0 || listen(fd, 4096) != 0) {
        perror("h2o_server");
        return 1;
    }
    signal(SIGPIPE, SIG_IGN);
    h2o_config_init(&config);
    h2o_hostconf_t *host = h2o_config_register_host(&config, h2o_iovec_init(H2O_STRLIT("default")), 65535);
    h2o_handler_t *handler = h2o_create_handler(h2o_config_register_path(host, "/", 0), sizeof(*handler));
    handler->on_req = on_request;
    h2o_context_init(&context, h2o_evloop_create(), &config);
    accept_context.ctx = &context;
    accept_context.hosts = config.hosts;
    h2o_socket_t *listener = h2o_evloop_socket_create(context.loop, fd, H2O_SOCKET_FLAG_DONT_READ);
    h2o_socket_read_start(listener, on_accept);
    while (h2o_evloop_run(context.loop, INT32_MAX) == 0)
        ;
    return 0;
}
