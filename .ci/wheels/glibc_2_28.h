// Included before everything that goes into a wheel. The C library of the sysroot is newer than the one that wheels promise to need,
// and a program is linked with the newest version of a function. These functions have the same results in both versions: those of 2.29
// only leave out the error handling of System V.
#pragma once

#if defined(__x86_64__)
#define JAXDALI_OLDEST_GLIBC "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define JAXDALI_OLDEST_GLIBC "GLIBC_2.17"
#else
#error "wheels are built for x86_64 and aarch64"
#endif

__asm__(".symver exp,exp@" JAXDALI_OLDEST_GLIBC);
__asm__(".symver exp2,exp2@" JAXDALI_OLDEST_GLIBC);
__asm__(".symver log,log@" JAXDALI_OLDEST_GLIBC);
__asm__(".symver log2,log2@" JAXDALI_OLDEST_GLIBC);
__asm__(".symver pow,pow@" JAXDALI_OLDEST_GLIBC);
