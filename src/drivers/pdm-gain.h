// ESP-IDF's defaults leave a PDM output quiet, and the SDK's audio output takes them: each stage multiplies by 4 instead of 1.
#include "driver/i2s_pdm.h"
#define I2S_PDM_SIG_SCALING_MUL_1 I2S_PDM_SIG_SCALING_MUL_4
