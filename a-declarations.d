declarations.o: \
 /work/main/build/chip/bread_compact/tmp/esp32/esp32s3/release/main/declarations.c \
 /work/sdk/esp-idf/components/app_update/include/esp_ota_ops.h \
 /work/sdk/esp-idf/components/esp_common/include/esp_err.h \
 /work/sdk/esp-idf/components/esp_libc/platform_include/stdio.h \
 /work/main/build/chip/bread_compact/tmp/esp32/esp32s3/release/main/xsProj-esp32s3/build/config/sdkconfig.h \
 /work/sdk/esp-idf/components/esp_libc/platform_include/assert.h \
 /work/sdk/esp-idf/components/esp_common/include/esp_compiler.h \
 /work/sdk/esp-idf/components/esp_partition/include/esp_partition.h \
 /work/sdk/esp-idf/components/esp_blockdev/include/esp_blockdev.h \
 /work/sdk/esp-idf/components/esp_app_format/include/esp_app_desc.h \
 /work/sdk/esp-idf/components/esp_common/include/esp_assert.h \
 /work/sdk/esp-idf/components/esp_common/include/esp_attr.h \
 /work/sdk/esp-idf/components/esp_common/include/esp_assert.h \
 /work/sdk/esp-idf/components/esp_bootloader_format/include/esp_bootloader_desc.h \
 /work/sdk/esp-idf/components/bootloader_support/include/esp_flash_partitions.h \
 /work/sdk/esp-idf/components/esp_common/include/esp_types.h \
 /work/sdk/esp-idf/components/soc/esp32s3/include/soc/soc_caps.h \
 /work/sdk/esp-idf/components/soc/include/soc/soc_caps_eval.h \
 /work/sdk/esp-idf/components/esp_driver_tsens/include/driver/temperature_sensor.h \
 /work/sdk/esp-idf/components/esp_hal_ana_conv/include/hal/temperature_sensor_types.h \
 /work/sdk/esp-idf/components/soc/esp32s3/include/soc/clk_tree_defs.h \
 /work/sdk/esp-idf/components/esp_hw_support/include/esp_chip_info.h \
 /work/sdk/esp-idf/components/esp_common/include/esp_bit_defs.h \
 /work/sdk/esp-idf/components/esp_hw_support/include/esp_mac.h \
 /work/sdk/esp-idf/components/esp_partition/include/esp_partition.h \
 /work/sdk/esp-idf/components/esp_system/include/esp_system.h \
 /work/sdk/esp-idf/components/esp_common/include/esp_idf_version.h \
 /work/sdk/esp-idf/components/nvs_sec_provider/include/nvs_sec_provider.h \
 /work/sdk/esp-idf/components/nvs_flash/include/nvs_flash.h \
 /work/sdk/esp-idf/components/nvs_flash/include/nvs.h \
 /work/sdk/esp-idf/components/esp_security/include/esp_hmac.h \
 /work/sdk/esp-idf/components/esp_hal_security/include/hal/hmac_types.h \
 /work/sdk/esp-idf/components/spi_flash/include/esp_flash.h \
 /work/sdk/esp-idf/components/esp_hal_mspi/include/hal/spi_flash_types.h \
 /work/sdk/esp-idf/components/esp_hal_mspi/include/hal/esp_flash_err.h
/work/sdk/esp-idf/components/app_update/include/esp_ota_ops.h:
/work/sdk/esp-idf/components/esp_common/include/esp_err.h:
/work/sdk/esp-idf/components/esp_libc/platform_include/stdio.h:
/work/main/build/chip/bread_compact/tmp/esp32/esp32s3/release/main/xsProj-esp32s3/build/config/sdkconfig.h:
/work/sdk/esp-idf/components/esp_libc/platform_include/assert.h:
/work/sdk/esp-idf/components/esp_common/include/esp_compiler.h:
/work/sdk/esp-idf/components/esp_partition/include/esp_partition.h:
/work/sdk/esp-idf/components/esp_blockdev/include/esp_blockdev.h:
/work/sdk/esp-idf/components/esp_app_format/include/esp_app_desc.h:
/work/sdk/esp-idf/components/esp_common/include/esp_assert.h:
/work/sdk/esp-idf/components/esp_common/include/esp_attr.h:
/work/sdk/esp-idf/components/esp_common/include/esp_assert.h:
/work/sdk/esp-idf/components/esp_bootloader_format/include/esp_bootloader_desc.h:
/work/sdk/esp-idf/components/bootloader_support/include/esp_flash_partitions.h:
/work/sdk/esp-idf/components/esp_common/include/esp_types.h:
/work/sdk/esp-idf/components/soc/esp32s3/include/soc/soc_caps.h:
/work/sdk/esp-idf/components/soc/include/soc/soc_caps_eval.h:
/work/sdk/esp-idf/components/esp_driver_tsens/include/driver/temperature_sensor.h:
/work/sdk/esp-idf/components/esp_hal_ana_conv/include/hal/temperature_sensor_types.h:
/work/sdk/esp-idf/components/soc/esp32s3/include/soc/clk_tree_defs.h:
/work/sdk/esp-idf/components/esp_hw_support/include/esp_chip_info.h:
/work/sdk/esp-idf/components/esp_common/include/esp_bit_defs.h:
/work/sdk/esp-idf/components/esp_hw_support/include/esp_mac.h:
/work/sdk/esp-idf/components/esp_partition/include/esp_partition.h:
/work/sdk/esp-idf/components/esp_system/include/esp_system.h:
/work/sdk/esp-idf/components/esp_common/include/esp_idf_version.h:
/work/sdk/esp-idf/components/nvs_sec_provider/include/nvs_sec_provider.h:
/work/sdk/esp-idf/components/nvs_flash/include/nvs_flash.h:
/work/sdk/esp-idf/components/nvs_flash/include/nvs.h:
/work/sdk/esp-idf/components/esp_security/include/esp_hmac.h:
/work/sdk/esp-idf/components/esp_hal_security/include/hal/hmac_types.h:
/work/sdk/esp-idf/components/spi_flash/include/esp_flash.h:
/work/sdk/esp-idf/components/esp_hal_mspi/include/hal/spi_flash_types.h:
/work/sdk/esp-idf/components/esp_hal_mspi/include/hal/esp_flash_err.h:
