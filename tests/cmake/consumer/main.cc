#include <routec/server.h>

#include <iostream>

#include "shop_router.h"

int main() {
  consumer::Unimplemented handlers;
  const routec::Router router = consumer::make_router(handlers);
  std::cout << router.match("GET", consumer::url::item(7)).pattern() << '\n';
}
