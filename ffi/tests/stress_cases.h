// What happens to the decode engine seldom, one thing after another. For stress_engine.cc.
#ifndef JAXDALI_TESTS_STRESS_CASES_H_
#define JAXDALI_TESTS_STRESS_CASES_H_

namespace jaxdali::gpu {

// Ends the process where something is wrong.
void RunCases();

// One of the cases: recipes of images that were decoded ahead, and of files that the host reads, are the same.
void RecipesOfBothSides();

}  // namespace jaxdali::gpu

#endif  // JAXDALI_TESTS_STRESS_CASES_H_
