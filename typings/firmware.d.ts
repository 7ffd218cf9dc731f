// Globals that the firmware itself sets; every build sees this file, with the SDK and without.

/**
 * Moddable's abort hook (manifest: `defines.xs.abortHook`), called before the machine gives up.
 * False makes it go on; anything else restarts it. It is not called when the stack overflows.
 */
declare var abort: ((reason: string) => boolean | undefined) | undefined;

/** Ends sessions and lets go of the hardware; a simulator calls it before it stops the machine. */
declare var closeFirmware: (() => void) | undefined;

/** What Moddable's audio output of the target m5stack_cores3 tells its sample rate to. */
declare var amp: { sampleRate: number } | undefined;
