// Marks functions that get a second copy for processors with vectors twice as wide. Which copy is used is decided when
// the module is loaded; both round the same. Not used with gcc's thread sanitizer, which is not ready yet at that
// moment.
#ifndef JAXDALI_BASE_CLONED_H_
#define JAXDALI_BASE_CLONED_H_

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define JAXDALI_CLONED __attribute__((target_clones("avx2", "default")))
#else
#define JAXDALI_CLONED
#endif

#define JAXDALI_ALWAYS_INLINE __attribute__((always_inline)) inline

#endif  // JAXDALI_BASE_CLONED_H_
