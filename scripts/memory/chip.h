// XS's view of the platform that `npm run memory` measures on: a 32-bit program with the options of an ESP32 in the SDK.

#ifndef MEMORY_CHIP_H
#define MEMORY_CHIP_H

#undef mxLinux
#define mxLinux 1

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define mxUseDefaultBuildKeys 1
#define mxUseDefaultChunkAllocation 1
#define mxUseDefaultSlotAllocation 1
#define mxUseDefaultFindModule 1
#define mxUseDefaultLoadModule 1
#define mxUseDefaultMachinePlatform 1
#define mxUseDefaultParseScript 1
#define mxUseDefaultSharedChunks 1

#define mxMachinePlatform \
	int hasPromiseJobs;

#ifndef ICACHE_FLASH_ATTR
	#define ICACHE_FLASH_ATTR
#endif
#ifndef ICACHE_RODATA_ATTR
	#define ICACHE_RODATA_ATTR
#endif
#define modCriticalSectionDeclare
#define modCriticalSectionBegin()
#define modCriticalSectionEnd()
#define modDelayMilliseconds(ms) usleep((ms) * 1000)

extern uint32_t modMilliseconds(void);

#endif
