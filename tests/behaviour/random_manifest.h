// Random manifests whose patterns collide as often as they can.
#ifndef ROUTEC_TESTS_BEHAVIOUR_RANDOM_MANIFEST_H_
#define ROUTEC_TESTS_BEHAVIOUR_RANDOM_MANIFEST_H_

#include <string>
#include <vector>

#include "random.h"

namespace routec::test {

// One route a line, so that those that the compiler refuses can be taken out.
struct ManifestDraft {
  std::string head;  // all that stands before the routes
  std::vector<std::string> routes;

  std::string text() const;
};

// It is well-formed, but routes may clash with each other.
ManifestDraft draw_manifest(Random& random);

}  // namespace routec::test

#endif  // ROUTEC_TESTS_BEHAVIOUR_RANDOM_MANIFEST_H_
