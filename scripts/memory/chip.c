// The main program of `npm run memory`: runs a board's linked firmware as a chip would, and tells on request what its machine takes.

#include "xsAll.h"
#include "xs.h"
#include "modTimer.h"

#include <poll.h>
#include <signal.h>

void modTimersExecute(void);
int modTimersNext(void);
void* xsPreparationAndCreation(txCreation** creation);

static void census(txMachine* the);

static int argumentCount;
static char** arguments;

void fxQueuePromiseJobs(txMachine* the)
{
	the->hasPromiseJobs = 1;
}

/* As `globalThis.abort` of the firmware has it: only what nothing caught is survived. */
void fxAbort(txMachine* the, int status)
{
	fprintf(stderr, "abort: %s\n", fxAbortString(status));
	if (status == XS_UNHANDLED_EXCEPTION_EXIT || status == XS_UNHANDLED_REJECTION_EXIT)
		return;
	exit(1);
}

static void sample(txMachine* the)
{
	fxCollectGarbage(the);
	printf("{\"slots\":%d,\"reservedSlots\":%d,\"chunks\":%d,\"reservedChunks\":%d,\"keys\":%d,\"slotBytes\":%d}\n",
		(int)the->currentHeapCount, (int)the->maximumHeapCount, (int)the->currentChunksSize, (int)the->maximumChunksSize,
		(int)(the->keyIndex - the->keyOffset), (int)sizeof(txSlot));
	fflush(stdout);
}

/* CHUNKS,INCREMENT,SLOTS,INCREMENT as the first argument instead of the manifest's `creation`, or "". */
int main(int count, char** values)
{
	txPreparation* preparation = xsPreparationAndCreation(NULL);
	txCreation creation = preparation->creation;
	txMachine* the;
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
	char command;

	argumentCount = count;
	arguments = values;
	if (count > 1)
		sscanf(values[1], "%d,%d,%d,%d", &creation.initialChunkSize, &creation.incrementalChunkSize, &creation.initialHeapCount,
			&creation.incrementalHeapCount);
	the = fxPrepareMachine(&creation, preparation, "chip", NULL, NULL);
	signal(SIGPIPE, SIG_IGN);
	xsBeginHost(the);
	{
		xsVars(1);
		xsVar(0) = xsAwaitImport("main", XS_IMPORT_NAMESPACE);
	}
	xsEndHost(the);
	for (;;) {
		while (the->hasPromiseJobs) {
			the->hasPromiseJobs = 0;
			fxRunPromiseJobs(the);
		}
		modTimersExecute();
		if (poll(&input, 1, the->hasPromiseJobs ? 0 : modTimersNext()) <= 0)
			continue;
		if (read(STDIN_FILENO, &command, 1) != 1)
			return 0;
		if (command == 's')
			sample(the);
		else if (command == 'c')
			census(the);
	}
}

/* Natives that a board without parts needs, and which the SDK has for chips or glib only. */

/* Settings are the arguments of the program, as NAME=value. */
void xs_preference_get(xsMachine* the)
{
	const char* name = xsToString(xsArg(1));
	size_t length = strlen(name);
	for (int i = 1; i < argumentCount; i++)
		if (!strncmp(arguments[i], name, length) && arguments[i][length] == '=')
			xsResult = xsString(arguments[i] + length + 1);
}
void xs_preference_set(xsMachine* the) {}
void xs_preference_delete(xsMachine* the) {}
void xs_preference_keys(xsMachine* the)
{
	xsResult = xsNewArray(0);
}

/* A resource is an argument as well, NAME=FILE. */
const void* mcGetResource(xsMachine* the, char* name, size_t* size)
{
	static char bytes[4096];
	size_t length = strlen(name);
	for (int i = 1; i < argumentCount; i++) {
		FILE* file;
		if (strncmp(arguments[i], name, length) || arguments[i][length] != '=')
			continue;
		file = fopen(arguments[i] + length + 1, "rb");
		if (!file)
			return NULL;
		*size = fread(bytes, 1, sizeof bytes, file);
		fclose(file);
		return bytes;
	}
	return NULL;
}
void xs_net_get(xsMachine* the) {}

void xs_rng_init(xsMachine* the) {}
void xs_rng_get(xsMachine* the)
{
	int count = xsToInteger(xsArg(0));
	unsigned char* bytes;
	xsResult = xsArrayBuffer(NULL, count);
	bytes = xsToArrayBuffer(xsResult);
	for (int i = 0; i < count; i++)
		bytes[i] = (unsigned char)rand();
}

/* `c` on the input: a line "SLOTS BYTES WHAT" for each object that is alive, with the fields of those that have no class. */

enum { FREE_KIND = 127 };

static const char* keyName(txMachine* the, txID id)
{
	char* name = id == XS_NO_ID ? NULL : fxGetKeyName(the, id);
	return name ? name : "";
}

/* That of its constructor, whose code is named as in the source. */
static const char* className(txMachine* the, txSlot* instance)
{
	txSlot* prototype = instance->value.instance.prototype;
	for (txSlot* property = prototype ? prototype->next : NULL; property; property = property->next)
		if (property->ID == mxID(_constructor) && property->kind == XS_REFERENCE_KIND && property->value.reference->next)
			return keyName(the, property->value.reference->next->ID);
	return prototype ? "" : "closures";
}

static int chunkBytes(void* data)
{
	return data ? ((txChunk*)((txByte*)data - sizeof(txChunk)))->size : 0;
}

static int slotBytes(txSlot* slot)
{
	switch (slot->kind) {
	case XS_STRING_KIND: return chunkBytes(slot->value.string);
	case XS_ARRAY_KIND: return chunkBytes(slot->value.array.address);
	case XS_ARRAY_BUFFER_KIND: return chunkBytes(slot->value.arrayBuffer.address);
	case XS_CODE_KIND: return chunkBytes(slot->value.code.address);
	default: return 0;
	}
}

static void census(txMachine* the)
{
	fxCollectGarbage(the);
	for (txSlot* slot = the->freeHeap; slot; slot = slot->next)
		slot->kind = FREE_KIND;
	for (txSlot* heap = the->firstHeap; heap; heap = heap->next)
		for (txSlot* slot = heap + 1; slot < heap->value.reference; slot++) {
			int slots = 1, bytes = 0;
			const char* what;
			const char* name = "";
			if (slot->kind != XS_INSTANCE_KIND)
				continue;
			what = className(the, slot);
			for (txSlot* property = slot->next; property; property = property->next) {
				slots++;
				bytes += slotBytes(property);
				if (property->kind == XS_CODE_KIND || property->kind == XS_CODE_X_KIND) {
					what = property->kind == XS_CODE_KIND ? "function with its code" : "function";
					name = keyName(the, property->ID);
				}
				if (property->kind == XS_PRIVATE_KIND)
					for (txSlot* field = property->value.private.first; field; field = field->next) {
						slots++;
						bytes += slotBytes(field);
					}
			}
			printf("%d %d %s %s", slots, bytes, what, name);
			if (!strcmp(what, "closures") || !strcmp(what, "Object"))
				for (txSlot* property = slot->next; property; property = property->next)
					printf("%s ", keyName(the, property->ID));
			printf("\n");
		}
	for (txSlot* slot = the->freeHeap; slot; slot = slot->next)
		slot->kind = XS_UNDEFINED_KIND;
	printf("end\n");
	fflush(stdout);
}
