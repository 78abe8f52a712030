// Rare events of the decode engine, one after another. For stress_engine.cc.
#ifndef JAXDALI_TESTS_STRESS_CASES_H_
#define JAXDALI_TESTS_STRESS_CASES_H_

namespace jaxdali::gpu {

// Ends the process if something is wrong.
void RunCases();

// One of the cases: recipes give the same for images that were decoded ahead and for files that the host reads.
void RecipesOfBothSides();

}  // namespace jaxdali::gpu

#endif  // JAXDALI_TESTS_STRESS_CASES_H_
