/*
 * A filter above a disk that measures it: how many requests, how large, how deep the queue, how the load changes over
 * time. Every request is passed down; reads and writes are seen again when they complete. Programs can ask for the
 * figures, and can leave a request with the filter that is completed when the load crosses a threshold: such requests
 * wait in a queue under the system's cancel lock.
 */
#include "model.h"

#define IOCTL_QUERY_PERFORMANCE 1
#define IOCTL_PERFORMANCE_ON 2
#define IOCTL_PERFORMANCE_OFF 3
#define IOCTL_RESET_COUNTERS 4
#define IOCTL_QUERY_HISTOGRAM 5
#define IOCTL_QUERY_HISTORY 6
#define IOCTL_SET_THRESHOLD 7
#define IOCTL_WAIT_THRESHOLD 8
#define IOCTL_QUERY_TRACE 9
#define IOCTL_SET_TRACE 10
#define IOCTL_CLEAR_TRACE 11
#define IOCTL_QUERY_ZONES 12
#define IOCTL_SET_ZONES 13
#define IOCTL_GET_GEOMETRY 16
#define IOCTL_VERIFY 17
#define IOCTL_EJECT 18

#define WMI_QUERY_ALL 0
#define WMI_QUERY_SINGLE 1
#define WMI_ENABLE_EVENTS 4
#define WMI_DISABLE_EVENTS 5
#define WMI_ENABLE_COLLECTION 6
#define WMI_DISABLE_COLLECTION 7
#define WMI_REGISTER 8

#define USAGE_PAGING 1
#define USAGE_HIBERNATION 2
#define USAGE_DUMP 3

#define BUCKETS 8
#define HISTORY 8
#define TRACE 16
#define ZONES 4

#define TRACE_READS 1
#define TRACE_WRITES 2
#define TRACE_ERRORS 4

typedef enum { NotStarted, Started, Stopped, StopPending, RemovePending, SurpriseRemoved, Removed } PNP_STATE;

typedef struct _COUNTERS {
    ULONG Reads;
    ULONG Writes;
    ULONG BytesRead;
    ULONG BytesWritten;
    ULONG Errors;
    ULONG Splits;
    LONG QueueDepth;
    LONG MaximumDepth;
    ULONG IdleSince;
    ULONG IdleTime;
} COUNTERS, *PCOUNTERS;

typedef struct _SAMPLE {
    ULONG Requests;
    ULONG Bytes;
    LONG Depth;
} SAMPLE, *PSAMPLE;

typedef struct _TRACE_RECORD {
    UCHAR Major;
    UCHAR Failed;
    ULONG Offset;
    ULONG Length;
} TRACE_RECORD, *PTRACE_RECORD;

typedef struct _ZONE {
    ULONG Start;
    ULONG Length;
    ULONG Hits;
} ZONE, *PZONE;

typedef struct _DISK_EXTENSION {
    PDEVICE_OBJECT Self;
    PDEVICE_OBJECT Lower;
    PNP_STATE PnpState;
    ULONG PowerState;
    LONG CountersEnabled;
    LONG EventsEnabled;
    LONG PagingPaths;
    LONG HibernationPaths;
    LONG DumpPaths;
    KEVENT PagingEvent;
    BOOLEAN Registered;
    ULONG Clock;

    KSPIN_LOCK CounterLock;
    COUNTERS Counters;
    ULONG ReadHistogram[BUCKETS];
    ULONG WriteHistogram[BUCKETS];
    ZONE Zones[ZONES];
    ULONG ZoneCount;

    KSPIN_LOCK HistoryLock;
    SAMPLE History[HISTORY];
    ULONG HistoryNext;
    ULONG HistoryCount;
    ULONG LastRequests;
    ULONG LastBytes;

    KSPIN_LOCK TraceLock;
    TRACE_RECORD Trace[TRACE];
    ULONG TraceNext;
    ULONG TraceCount;
    UCHAR TraceMode;

    LIST_ENTRY ThresholdQueue;
    ULONG Threshold;
    BOOLEAN ThresholdArmed;

    KTIMER SampleTimer;
    KDPC SampleDpc;
} DISK_EXTENSION, *PDISK_EXTENSION;

/* Completing and passing down. */

static NTSTATUS DpComplete(PIRP irp, NTSTATUS status, ULONG information)
{
    irp->IoStatus.Status = status;
    irp->IoStatus.Information = information;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return status;
}

static NTSTATUS DpSendDown(PDEVICE_OBJECT device, PIRP irp)
{
    PDISK_EXTENSION extension = device->DeviceExtension;
    IoSkipCurrentIrpStackLocation(irp);
    return IoCallDriver(extension->Lower, irp);
}

static NTSTATUS DpSyncDone(PDEVICE_OBJECT device, PIRP irp, PVOID context)
{
    KeSetEvent(context, IO_NO_INCREMENT, FALSE);
    return STATUS_MORE_PROCESSING_REQUIRED;
}

/* Send a request down and wait until it comes back; the caller completes it. */
static NTSTATUS DpSendDownAndWait(PDISK_EXTENSION extension, PIRP irp)
{
    KEVENT done;
    NTSTATUS status;

    KeInitializeEvent(&done, 0, FALSE);
    IoCopyCurrentIrpStackLocationToNext(irp);
    IoSetCompletionRoutine(irp, DpSyncDone, &done, TRUE, TRUE, TRUE);
    status = IoCallDriver(extension->Lower, irp);
    if (status == STATUS_PENDING) {
        KeWaitForSingleObject(&done);
        status = irp->IoStatus.Status;
    }
    return status;
}

/* Numbers in a caller's buffer, least significant byte first. */

static VOID DpPutNumber(PIRP irp, ULONG at, ULONG value)
{
    if (at + 4 <= SYSTEM_BUFFER_SIZE) {
        irp->SystemBuffer[at] = (UCHAR)value;
        irp->SystemBuffer[at + 1] = (UCHAR)(value >> 8);
        irp->SystemBuffer[at + 2] = (UCHAR)(value >> 16);
        irp->SystemBuffer[at + 3] = (UCHAR)(value >> 24);
    }
}

static ULONG DpGetNumber(PIRP irp, ULONG at)
{
    if (at + 2 > SYSTEM_BUFFER_SIZE)
        return 0;
    return irp->SystemBuffer[at] | (ULONG)irp->SystemBuffer[at + 1] << 8;
}

/* Figures. */

static ULONG DpBucket(ULONG length)
{
    ULONG bucket = 0;
    length >>= 9;
    while (length > 0 && bucket < BUCKETS - 1) {
        length >>= 1;
        bucket++;
    }
    return bucket;
}

static VOID DpCountZone(PDISK_EXTENSION extension, ULONG offset)
{
    ULONG i;
    for (i = 0; i < extension->ZoneCount; i++) {
        PZONE zone = &extension->Zones[i];
        if (offset >= zone->Start && offset - zone->Start < zone->Length) {
            zone->Hits++;
            return;
        }
    }
}

static VOID DpRequestBegins(PDISK_EXTENSION extension)
{
    KIRQL irql;
    PCOUNTERS counters = &extension->Counters;

    KeAcquireSpinLock(&extension->CounterLock, &irql);
    if (counters->QueueDepth == 0)
        counters->IdleTime += extension->Clock - counters->IdleSince;
    counters->QueueDepth++;
    if (counters->QueueDepth > counters->MaximumDepth)
        counters->MaximumDepth = counters->QueueDepth;
    KeReleaseSpinLock(&extension->CounterLock, irql);
}

static VOID DpRequestEnds(PDISK_EXTENSION extension, PIRP irp)
{
    KIRQL irql;
    PCOUNTERS counters = &extension->Counters;
    PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);
    ULONG length = stack->Parameters.Read.Length;

    KeAcquireSpinLock(&extension->CounterLock, &irql);
    counters->QueueDepth--;
    if (counters->QueueDepth == 0)
        counters->IdleSince = extension->Clock;
    if (!NT_SUCCESS(irp->IoStatus.Status)) {
        counters->Errors++;
        KeReleaseSpinLock(&extension->CounterLock, irql);
        return;
    }
    if (stack->MajorFunction == IRP_MJ_READ) {
        counters->Reads++;
        counters->BytesRead += length;
        extension->ReadHistogram[DpBucket(length)]++;
    } else {
        counters->Writes++;
        counters->BytesWritten += length;
        extension->WriteHistogram[DpBucket(length)]++;
    }
    if (length > 65536)
        counters->Splits++;
    DpCountZone(extension, stack->Parameters.Read.Offset);
    KeReleaseSpinLock(&extension->CounterLock, irql);
}

static VOID DpResetCounters(PDISK_EXTENSION extension)
{
    KIRQL irql;
    PCOUNTERS counters = &extension->Counters;
    ULONG i;

    KeAcquireSpinLock(&extension->CounterLock, &irql);
    counters->Reads = counters->Writes = 0;
    counters->BytesRead = counters->BytesWritten = 0;
    counters->Errors = counters->Splits = 0;
    counters->MaximumDepth = counters->QueueDepth;
    counters->IdleTime = 0;
    counters->IdleSince = extension->Clock;
    for (i = 0; i < BUCKETS; i++)
        extension->ReadHistogram[i] = extension->WriteHistogram[i] = 0;
    for (i = 0; i < ZONES; i++)
        extension->Zones[i].Hits = 0;
    KeReleaseSpinLock(&extension->CounterLock, irql);
}

/* Trace: the last requests, in a ring. */

static BOOLEAN DpTraced(UCHAR mode, UCHAR major, BOOLEAN failed)
{
    if (failed && (mode & TRACE_ERRORS) != 0)
        return TRUE;
    if (major == IRP_MJ_READ)
        return (mode & TRACE_READS) != 0;
    return (mode & TRACE_WRITES) != 0;
}

static VOID DpTrace(PDISK_EXTENSION extension, PIRP irp)
{
    KIRQL irql;
    PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);
    BOOLEAN failed = !NT_SUCCESS(irp->IoStatus.Status);
    PTRACE_RECORD record;

    KeAcquireSpinLock(&extension->TraceLock, &irql);
    if (!DpTraced(extension->TraceMode, stack->MajorFunction, failed)) {
        KeReleaseSpinLock(&extension->TraceLock, irql);
        return;
    }
    record = &extension->Trace[extension->TraceNext];
    record->Major = stack->MajorFunction;
    record->Failed = failed;
    record->Offset = stack->Parameters.Read.Offset;
    record->Length = stack->Parameters.Read.Length;
    extension->TraceNext = (extension->TraceNext + 1) % TRACE;
    if (extension->TraceCount < TRACE)
        extension->TraceCount++;
    KeReleaseSpinLock(&extension->TraceLock, irql);
}

static NTSTATUS DpQueryTrace(PDISK_EXTENSION extension, PIRP irp, ULONG room)
{
    KIRQL irql;
    ULONG used = 0, i, at;

    KeAcquireSpinLock(&extension->TraceLock, &irql);
    at = (extension->TraceNext + TRACE - extension->TraceCount) % TRACE;
    for (i = 0; i < extension->TraceCount; i++) {
        if (used + 10 > room) {
            KeReleaseSpinLock(&extension->TraceLock, irql);
            return DpComplete(irp, STATUS_BUFFER_OVERFLOW, used);
        }
        irp->SystemBuffer[used] = extension->Trace[at].Major;
        irp->SystemBuffer[used + 1] = extension->Trace[at].Failed;
        DpPutNumber(irp, used + 2, extension->Trace[at].Offset);
        DpPutNumber(irp, used + 6, extension->Trace[at].Length);
        used += 10;
        at = (at + 1) % TRACE;
    }
    KeReleaseSpinLock(&extension->TraceLock, irql);
    return DpComplete(irp, STATUS_SUCCESS, used);
}

static NTSTATUS DpSetTrace(PDISK_EXTENSION extension, PIRP irp, ULONG given)
{
    KIRQL irql;
    UCHAR mode;

    if (given < 1)
        return DpComplete(irp, STATUS_INVALID_PARAMETER, 0);
    mode = irp->SystemBuffer[0];
    if ((mode & ~(TRACE_READS | TRACE_WRITES | TRACE_ERRORS)) != 0)
        return DpComplete(irp, STATUS_INVALID_PARAMETER, 0);
    KeAcquireSpinLock(&extension->TraceLock, &irql);
    extension->TraceMode = mode;
    KeReleaseSpinLock(&extension->TraceLock, irql);
    return DpComplete(irp, STATUS_SUCCESS, 0);
}

static NTSTATUS DpClearTrace(PDISK_EXTENSION extension, PIRP irp)
{
    KIRQL irql;

    KeAcquireSpinLock(&extension->TraceLock, &irql);
    extension->TraceNext = extension->TraceCount = 0;
    KeReleaseSpinLock(&extension->TraceLock, irql);
    return DpComplete(irp, STATUS_SUCCESS, 0);
}

/* Thresholds: requests that wait until the queue is deep enough. */

static VOID DpCancelThreshold(PDEVICE_OBJECT device, PIRP irp)
{
    RemoveEntryList(&irp->ListEntry);
    IoReleaseCancelSpinLock(irp->CancelIrql);
    DpComplete(irp, STATUS_CANCELLED, 0);
}

static NTSTATUS DpWaitThreshold(PDISK_EXTENSION extension, PIRP irp)
{
    KIRQL irql;

    IoAcquireCancelSpinLock(&irql);
    if (!extension->ThresholdArmed) {
        IoReleaseCancelSpinLock(irql);
        return DpComplete(irp, STATUS_INVALID_DEVICE_REQUEST, 0);
    }
    if (irp->Cancel) {
#ifndef BUG_CANCEL_SPIN_LOCK
        IoReleaseCancelSpinLock(irql);
#endif
        return DpComplete(irp, STATUS_CANCELLED, 0);
    }
    IoSetCancelRoutine(irp, DpCancelThreshold);
#ifndef BUG_MARK_PENDING
    IoMarkIrpPending(irp);
#endif
    InsertTailList(&extension->ThresholdQueue, &irp->ListEntry);
    IoReleaseCancelSpinLock(irql);
    return STATUS_PENDING;
}

/* The next waiting request, out of reach of cancellation. The cancel lock is held. */
static PIRP DpTakeThreshold(PDISK_EXTENSION extension)
{
    PIRP irp;

    if (IsListEmpty(&extension->ThresholdQueue))
        return NULL;
    irp = CONTAINING_RECORD(RemoveHeadList(&extension->ThresholdQueue), IRP, ListEntry);
    IoSetCancelRoutine(irp, NULL);
    return irp;
}

static VOID DpReleaseWaiters(PDISK_EXTENSION extension, NTSTATUS status, ULONG depth)
{
    KIRQL irql;
    PIRP irp;

    IoAcquireCancelSpinLock(&irql);
    for (;;) {
        irp = DpTakeThreshold(extension);
        if (irp == NULL)
            break;
        IoReleaseCancelSpinLock(irql);
        if (NT_SUCCESS(status))
            DpPutNumber(irp, 0, depth);
        DpComplete(irp, status, NT_SUCCESS(status) ? 4 : 0);
        IoAcquireCancelSpinLock(&irql);
    }
    IoReleaseCancelSpinLock(irql);
}

static VOID DpCheckThreshold(PDISK_EXTENSION extension, LONG depth)
{
    KIRQL irql;
    BOOLEAN crossed;

    IoAcquireCancelSpinLock(&irql);
    crossed = extension->ThresholdArmed && depth > 0 && (ULONG)depth >= extension->Threshold;
    IoReleaseCancelSpinLock(irql);
    if (crossed)
        DpReleaseWaiters(extension, STATUS_SUCCESS, depth);
}

static NTSTATUS DpSetThreshold(PDISK_EXTENSION extension, PIRP irp, ULONG given)
{
    KIRQL irql;
    ULONG threshold;

    if (given < 2)
        return DpComplete(irp, STATUS_INVALID_PARAMETER, 0);
    threshold = DpGetNumber(irp, 0);
    IoAcquireCancelSpinLock(&irql);
    extension->Threshold = threshold;
    extension->ThresholdArmed = threshold > 0;
    IoReleaseCancelSpinLock(irql);
    if (threshold == 0)
        DpReleaseWaiters(extension, STATUS_CANCELLED, 0);
    return DpComplete(irp, STATUS_SUCCESS, 0);
}

/* History: a sample at every tick of the timer. */

static VOID DpSampleDpc(PKDPC dpc, PVOID context, PVOID argument1, PVOID argument2)
{
    PDISK_EXTENSION extension = context;
    ULONG requests, bytes;
    LONG depth;
    PSAMPLE sample;

    extension->Clock++;
    KeAcquireSpinLockAtDpcLevel(&extension->CounterLock);
    requests = extension->Counters.Reads + extension->Counters.Writes;
    bytes = extension->Counters.BytesRead + extension->Counters.BytesWritten;
    depth = extension->Counters.QueueDepth;
    KeReleaseSpinLockFromDpcLevel(&extension->CounterLock);

    KeAcquireSpinLockAtDpcLevel(&extension->HistoryLock);
    sample = &extension->History[extension->HistoryNext];
    sample->Requests = requests - extension->LastRequests;
    sample->Bytes = bytes - extension->LastBytes;
    sample->Depth = depth;
    extension->LastRequests = requests;
    extension->LastBytes = bytes;
    extension->HistoryNext = (extension->HistoryNext + 1) % HISTORY;
    if (extension->HistoryCount < HISTORY)
        extension->HistoryCount++;
    KeReleaseSpinLockFromDpcLevel(&extension->HistoryLock);

    DpCheckThreshold(extension, depth);
    if (extension->CountersEnabled > 0)
        KeSetTimer(&extension->SampleTimer, -100, &extension->SampleDpc);
}

static NTSTATUS DpQueryHistory(PDISK_EXTENSION extension, PIRP irp, ULONG room)
{
    KIRQL irql;
    ULONG used = 0, i, at;
    NTSTATUS status = STATUS_SUCCESS;

    KeAcquireSpinLock(&extension->HistoryLock, &irql);
    at = (extension->HistoryNext + HISTORY - extension->HistoryCount) % HISTORY;
    for (i = 0; i < extension->HistoryCount; i++) {
        if (used + 8 > room) {
            status = STATUS_BUFFER_OVERFLOW;
            break;
        }
        DpPutNumber(irp, used, extension->History[at].Requests);
        DpPutNumber(irp, used + 4, extension->History[at].Bytes);
        used += 8;
        at = (at + 1) % HISTORY;
    }
    KeReleaseSpinLock(&extension->HistoryLock, irql);
    return DpComplete(irp, status, used);
}

/* Turning the counters on and off; every program that wants them counts. */

static VOID DpCountersOn(PDISK_EXTENSION extension)
{
    if (InterlockedIncrement(&extension->CountersEnabled) == 1) {
        DpResetCounters(extension);
        KeSetTimer(&extension->SampleTimer, -100, &extension->SampleDpc);
    }
}

static NTSTATUS DpCountersOff(PDISK_EXTENSION extension)
{
    LONG users = InterlockedDecrement(&extension->CountersEnabled);
    if (users < 0) {
        InterlockedIncrement(&extension->CountersEnabled);
        return STATUS_INVALID_DEVICE_REQUEST;
    }
    if (users == 0) {
        KeCancelTimer(&extension->SampleTimer);
        DpReleaseWaiters(extension, STATUS_CANCELLED, 0);
    }
    return STATUS_SUCCESS;
}

/* Asking for figures. */

static ULONG DpFillCounters(PDISK_EXTENSION extension, PIRP irp)
{
    KIRQL irql;
    PCOUNTERS counters = &extension->Counters;

    KeAcquireSpinLock(&extension->CounterLock, &irql);
    DpPutNumber(irp, 0, counters->Reads);
    DpPutNumber(irp, 4, counters->Writes);
    DpPutNumber(irp, 8, counters->BytesRead);
    DpPutNumber(irp, 12, counters->BytesWritten);
    DpPutNumber(irp, 16, counters->Errors);
    DpPutNumber(irp, 20, counters->Splits);
    DpPutNumber(irp, 24, counters->QueueDepth);
    DpPutNumber(irp, 28, counters->MaximumDepth);
    DpPutNumber(irp, 32, counters->IdleTime);
    KeReleaseSpinLock(&extension->CounterLock, irql);
    return 36;
}

static NTSTATUS DpQueryPerformance(PDISK_EXTENSION extension, PIRP irp, ULONG room)
{
    if (room < 36)
        return DpComplete(irp, STATUS_BUFFER_TOO_SMALL, 0);
    if (extension->CountersEnabled <= 0)
        return DpComplete(irp, STATUS_UNSUCCESSFUL, 0);
    return DpComplete(irp, STATUS_SUCCESS, DpFillCounters(extension, irp));
}

static NTSTATUS DpQueryHistogram(PDISK_EXTENSION extension, PIRP irp, ULONG room)
{
    KIRQL irql;
    ULONG i;

    if (room < 2 * BUCKETS * 4)
        return DpComplete(irp, STATUS_BUFFER_TOO_SMALL, 0);
    KeAcquireSpinLock(&extension->CounterLock, &irql);
    for (i = 0; i < BUCKETS; i++) {
        DpPutNumber(irp, 8 * i, extension->ReadHistogram[i]);
        DpPutNumber(irp, 8 * i + 4, extension->WriteHistogram[i]);
    }
    KeReleaseSpinLock(&extension->CounterLock, irql);
    return DpComplete(irp, STATUS_SUCCESS, 2 * BUCKETS * 4);
}

static NTSTATUS DpQueryZones(PDISK_EXTENSION extension, PIRP irp, ULONG room)
{
    KIRQL irql;
    ULONG used = 0, i;

    KeAcquireSpinLock(&extension->CounterLock, &irql);
    for (i = 0; i < extension->ZoneCount && used + 12 <= room; i++) {
        DpPutNumber(irp, used, extension->Zones[i].Start);
        DpPutNumber(irp, used + 4, extension->Zones[i].Length);
        DpPutNumber(irp, used + 8, extension->Zones[i].Hits);
        used += 12;
    }
    if (i < extension->ZoneCount) {
        KeReleaseSpinLock(&extension->CounterLock, irql);
        return DpComplete(irp, STATUS_BUFFER_OVERFLOW, used);
    }
    KeReleaseSpinLock(&extension->CounterLock, irql);
    return DpComplete(irp, STATUS_SUCCESS, used);
}

/* The caller's zones must lie one after the other. */
static NTSTATUS DpSetZones(PDISK_EXTENSION extension, PIRP irp, ULONG given)
{
    KIRQL irql;
    ULONG count = given / 4;
    ULONG i, end = 0;

    if (count == 0 || count > ZONES)
        return DpComplete(irp, STATUS_INVALID_PARAMETER, 0);
    KeAcquireSpinLock(&extension->CounterLock, &irql);
    extension->ZoneCount = 0;
    for (i = 0; i < count; i++) {
        ULONG start = DpGetNumber(irp, 4 * i);
        ULONG length = DpGetNumber(irp, 4 * i + 2);
        if (start < end || length == 0) {
            extension->ZoneCount = 0;
            KeReleaseSpinLock(&extension->CounterLock, irql);
            return DpComplete(irp, STATUS_INVALID_PARAMETER, 0);
        }
        extension->Zones[i].Start = start;
        extension->Zones[i].Length = length;
        extension->Zones[i].Hits = 0;
        extension->ZoneCount = i + 1;
        end = start + length;
    }
    KeReleaseSpinLock(&extension->CounterLock, irql);
    return DpComplete(irp, STATUS_SUCCESS, 0);
}

/* Dispatch routines. */

static NTSTATUS DpCreate(PDEVICE_OBJECT device, PIRP irp)
{
    return DpComplete(irp, STATUS_SUCCESS, 0);
}

static NTSTATUS DpReadWriteDone(PDEVICE_OBJECT device, PIRP irp, PVOID context)
{
    PDISK_EXTENSION extension = context;

    if (irp->PendingReturned)
        IoMarkIrpPending(irp);
    DpRequestEnds(extension, irp);
    DpTrace(extension, irp);
    return STATUS_SUCCESS;
}

static NTSTATUS DpReadWrite(PDEVICE_OBJECT device, PIRP irp)
{
    PDISK_EXTENSION extension = device->DeviceExtension;

    if (extension->PnpState == Removed || extension->PnpState == SurpriseRemoved)
        return DpComplete(irp, STATUS_NO_SUCH_DEVICE, 0);
    if (extension->CountersEnabled <= 0)
        return DpSendDown(device, irp);
    DpRequestBegins(extension);
    IoCopyCurrentIrpStackLocationToNext(irp);
    IoSetCompletionRoutine(irp, DpReadWriteDone, extension, TRUE, TRUE, TRUE);
    return IoCallDriver(extension->Lower, irp);
}

/* The geometry is asked from the disk; with zones set, their number is added. */
static NTSTATUS DpGetGeometry(PDISK_EXTENSION extension, PIRP irp, ULONG room)
{
    NTSTATUS status = DpSendDownAndWait(extension, irp);
    if (NT_SUCCESS(status) && room >= 8 && extension->ZoneCount > 0) {
        DpPutNumber(irp, 4, extension->ZoneCount);
        return DpComplete(irp, status, 8);
    }
    return DpComplete(irp, status, NT_SUCCESS(status) ? 4 : 0);
}

static NTSTATUS DpDeviceControl(PDEVICE_OBJECT device, PIRP irp)
{
    PDISK_EXTENSION extension = device->DeviceExtension;
    PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);
    ULONG given = stack->Parameters.DeviceIoControl.InputBufferLength;
    ULONG room = stack->Parameters.DeviceIoControl.OutputBufferLength;

    switch (stack->Parameters.DeviceIoControl.IoControlCode) {
    case IOCTL_QUERY_PERFORMANCE:
        return DpQueryPerformance(extension, irp, room);
    case IOCTL_PERFORMANCE_ON:
        DpCountersOn(extension);
        return DpComplete(irp, STATUS_SUCCESS, 0);
    case IOCTL_PERFORMANCE_OFF:
        return DpComplete(irp, DpCountersOff(extension), 0);
    case IOCTL_RESET_COUNTERS:
        DpResetCounters(extension);
        return DpComplete(irp, STATUS_SUCCESS, 0);
    case IOCTL_QUERY_HISTOGRAM:
        return DpQueryHistogram(extension, irp, room);
    case IOCTL_QUERY_HISTORY:
        return DpQueryHistory(extension, irp, room);
    case IOCTL_SET_THRESHOLD:
        return DpSetThreshold(extension, irp, given);
    case IOCTL_WAIT_THRESHOLD:
        if (room < 4)
            return DpComplete(irp, STATUS_BUFFER_TOO_SMALL, 0);
        return DpWaitThreshold(extension, irp);
    case IOCTL_QUERY_TRACE:
        return DpQueryTrace(extension, irp, room);
    case IOCTL_SET_TRACE:
        return DpSetTrace(extension, irp, given);
    case IOCTL_CLEAR_TRACE:
        return DpClearTrace(extension, irp);
    case IOCTL_QUERY_ZONES:
        return DpQueryZones(extension, irp, room);
    case IOCTL_SET_ZONES:
        return DpSetZones(extension, irp, given);
    case IOCTL_GET_GEOMETRY:
        return DpGetGeometry(extension, irp, room);
    default:
        return DpSendDown(device, irp);
    }
}

static NTSTATUS DpCleanup(PDEVICE_OBJECT device, PIRP irp)
{
    DpReleaseWaiters(device->DeviceExtension, STATUS_CANCELLED, 0);
    return DpComplete(irp, STATUS_SUCCESS, 0);
}

static NTSTATUS DpShutdownFlush(PDEVICE_OBJECT device, PIRP irp)
{
    PDISK_EXTENSION extension = device->DeviceExtension;
    if (IoGetCurrentIrpStackLocation(irp)->MajorFunction == IRP_MJ_SHUTDOWN) {
        KeCancelTimer(&extension->SampleTimer);
        DpReleaseWaiters(extension, STATUS_CANCELLED, 0);
    }
    return DpSendDown(device, irp);
}

/* Management instrumentation. */

static NTSTATUS DpWmiQuery(PDISK_EXTENSION extension, PIRP irp, UCHAR minor)
{
    if (!extension->Registered)
        return DpComplete(irp, STATUS_INVALID_DEVICE_REQUEST, 0);
    if (minor == WMI_QUERY_SINGLE && irp->SystemBuffer[0] != 0)
        return DpComplete(irp, STATUS_INVALID_PARAMETER, 0);
    return DpComplete(irp, STATUS_SUCCESS, DpFillCounters(extension, irp));
}

static NTSTATUS DpSystemControl(PDEVICE_OBJECT device, PIRP irp)
{
    PDISK_EXTENSION extension = device->DeviceExtension;
    UCHAR minor = IoGetCurrentIrpStackLocation(irp)->MinorFunction;

    switch (minor) {
    case WMI_QUERY_ALL:
    case WMI_QUERY_SINGLE:
        return DpWmiQuery(extension, irp, minor);
    case WMI_ENABLE_EVENTS:
        InterlockedIncrement(&extension->EventsEnabled);
        return DpComplete(irp, STATUS_SUCCESS, 0);
    case WMI_DISABLE_EVENTS:
        if (InterlockedDecrement(&extension->EventsEnabled) < 0) {
            InterlockedIncrement(&extension->EventsEnabled);
            return DpComplete(irp, STATUS_INVALID_DEVICE_REQUEST, 0);
        }
        return DpComplete(irp, STATUS_SUCCESS, 0);
    case WMI_ENABLE_COLLECTION:
        DpCountersOn(extension);
        return DpComplete(irp, STATUS_SUCCESS, 0);
    case WMI_DISABLE_COLLECTION:
        return DpComplete(irp, DpCountersOff(extension), 0);
    case WMI_REGISTER:
        extension->Registered = TRUE;
        return DpComplete(irp, STATUS_SUCCESS, 0);
    default:
        return DpSendDown(device, irp);
    }
}

/* Power. */

static NTSTATUS DpPowerDone(PDEVICE_OBJECT device, PIRP irp, PVOID context)
{
    PDISK_EXTENSION extension = context;
    if (irp->PendingReturned)
        IoMarkIrpPending(irp);
    if (NT_SUCCESS(irp->IoStatus.Status))
        extension->PowerState = IoGetCurrentIrpStackLocation(irp)->Parameters.Power.State;
    if (extension->PowerState == 1 && extension->CountersEnabled > 0)
        KeSetTimer(&extension->SampleTimer, -100, &extension->SampleDpc);
    return STATUS_SUCCESS;
}

static NTSTATUS DpPower(PDEVICE_OBJECT device, PIRP irp)
{
    PDISK_EXTENSION extension = device->DeviceExtension;
    PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);

    if (stack->MinorFunction != IRP_MN_SET_POWER || stack->Parameters.Power.Type != 1)
        return DpSendDown(device, irp);
    if (stack->Parameters.Power.State > extension->PowerState)
        KeCancelTimer(&extension->SampleTimer);
    IoCopyCurrentIrpStackLocationToNext(irp);
    IoSetCompletionRoutine(irp, DpPowerDone, extension, TRUE, TRUE, TRUE);
    return IoCallDriver(extension->Lower, irp);
}

/* Plug and play. */

static NTSTATUS DpStart(PDISK_EXTENSION extension, PIRP irp)
{
    NTSTATUS status = DpSendDownAndWait(extension, irp);
    if (NT_SUCCESS(status)) {
        extension->PnpState = Started;
        extension->Registered = TRUE;
    }
    return DpComplete(irp, status, 0);
}

static NTSTATUS DpRemove(PDEVICE_OBJECT device, PIRP irp)
{
    PDISK_EXTENSION extension = device->DeviceExtension;
    NTSTATUS status;

    extension->PnpState = Removed;
    extension->Registered = FALSE;
    KeCancelTimer(&extension->SampleTimer);
    DpReleaseWaiters(extension, STATUS_CANCELLED, 0);
    status = DpSendDownAndWait(extension, irp);
    IoDetachDevice(extension->Lower);
    IoDeleteDevice(device);
    return DpComplete(irp, status, 0);
}

static PLONG DpUsageCounter(PDISK_EXTENSION extension, ULONG type)
{
    switch (type) {
    case USAGE_PAGING:
        return &extension->PagingPaths;
    case USAGE_HIBERNATION:
        return &extension->HibernationPaths;
    case USAGE_DUMP:
        return &extension->DumpPaths;
    default:
        return NULL;
    }
}

/*
 * A paging file comes to this disk or leaves it. Only one such change may be under way: the paging event is taken first
 * and given back at the end.
 */
static NTSTATUS DpUsage(PDISK_EXTENSION extension, PIRP irp)
{
    PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);
    PLONG counter = DpUsageCounter(extension, stack->Parameters.UsageNotification.Type);
    BOOLEAN arrives = stack->Parameters.UsageNotification.InPath;
    BOOLEAN last;
    NTSTATUS status;

    if (counter == NULL)
        return DpComplete(irp, STATUS_INVALID_PARAMETER, 0);
    KeWaitForSingleObject(&extension->PagingEvent);
    KeClearEvent(&extension->PagingEvent);
    last = !arrives && *counter == 1;
    if (last)
        extension->Self->Flags &= ~1u;
    status = DpSendDownAndWait(extension, irp);
    if (NT_SUCCESS(status)) {
        if (arrives)
            InterlockedIncrement(counter);
        else if (*counter > 0)
            InterlockedDecrement(counter);
        if (arrives && *counter == 1)
            extension->Self->Flags |= 1;
    } else if (last) {
        extension->Self->Flags |= 1;
    }
    KeSetEvent(&extension->PagingEvent, IO_NO_INCREMENT, FALSE);
    return DpComplete(irp, status, 0);
}

static NTSTATUS DpPnp(PDEVICE_OBJECT device, PIRP irp)
{
    PDISK_EXTENSION extension = device->DeviceExtension;

    switch (IoGetCurrentIrpStackLocation(irp)->MinorFunction) {
    case IRP_MN_START_DEVICE:
        return DpStart(extension, irp);
    case IRP_MN_REMOVE_DEVICE:
        return DpRemove(device, irp);
    case IRP_MN_QUERY_STOP_DEVICE:
    case IRP_MN_QUERY_REMOVE_DEVICE:
        if (extension->PagingPaths > 0 || extension->DumpPaths > 0)
            return DpComplete(irp, STATUS_DEVICE_BUSY, 0);
        irp->IoStatus.Status = STATUS_SUCCESS;
        return DpSendDown(device, irp);
    case IRP_MN_STOP_DEVICE:
        extension->PnpState = Stopped;
        KeCancelTimer(&extension->SampleTimer);
        irp->IoStatus.Status = STATUS_SUCCESS;
        return DpSendDown(device, irp);
    case IRP_MN_SURPRISE_REMOVAL:
        extension->PnpState = SurpriseRemoved;
        DpReleaseWaiters(extension, STATUS_NO_SUCH_DEVICE, 0);
        irp->IoStatus.Status = STATUS_SUCCESS;
        return DpSendDown(device, irp);
    case IRP_MN_DEVICE_USAGE_NOTIFICATION:
        return DpUsage(extension, irp);
    default:
        return DpSendDown(device, irp);
    }
}

/* Loading. */

static VOID DpInitialize(PDISK_EXTENSION extension)
{
    ULONG i;

    extension->PnpState = NotStarted;
    extension->PowerState = 1;
    extension->CountersEnabled = 0;
    extension->EventsEnabled = 0;
    extension->PagingPaths = extension->HibernationPaths = extension->DumpPaths = 0;
    extension->Registered = FALSE;
    extension->Clock = 0;
    extension->Counters.QueueDepth = 0;
    extension->ZoneCount = 0;
    extension->HistoryNext = extension->HistoryCount = 0;
    extension->LastRequests = extension->LastBytes = 0;
    extension->TraceNext = extension->TraceCount = 0;
    extension->TraceMode = 0;
    extension->Threshold = 0;
    extension->ThresholdArmed = FALSE;
    for (i = 0; i < ZONES; i++)
        extension->Zones[i].Length = 0;
    InitializeListHead(&extension->ThresholdQueue);
    KeInitializeSpinLock(&extension->CounterLock);
    KeInitializeSpinLock(&extension->HistoryLock);
    KeInitializeSpinLock(&extension->TraceLock);
    KeInitializeEvent(&extension->PagingEvent, 0, TRUE);
    KeInitializeTimer(&extension->SampleTimer);
    KeInitializeDpc(&extension->SampleDpc, DpSampleDpc, extension);
    DpResetCounters(extension);
}

static NTSTATUS DpAddDevice(PDRIVER_OBJECT driver, PDEVICE_OBJECT physical)
{
    PDEVICE_OBJECT device;
    PDISK_EXTENSION extension;
    NTSTATUS status = IoCreateDevice(driver, sizeof(DISK_EXTENSION), &device);

    if (!NT_SUCCESS(status))
        return status;
    extension = device->DeviceExtension;
    extension->Self = device;
    extension->Lower = IoAttachDeviceToDeviceStack(device, physical);
    if (extension->Lower == NULL) {
        IoDeleteDevice(device);
        return STATUS_NO_SUCH_DEVICE;
    }
    DpInitialize(extension);
    return STATUS_SUCCESS;
}

static NTSTATUS DpDriverEntry(PDRIVER_OBJECT driver)
{
    int i;
    for (i = 0; i < IRP_MJ_COUNT; i++)
        driver->MajorFunction[i] = DpSendDown;
    driver->MajorFunction[IRP_MJ_CREATE] = DpCreate;
    driver->MajorFunction[IRP_MJ_READ] = DpReadWrite;
    driver->MajorFunction[IRP_MJ_WRITE] = DpReadWrite;
    driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = DpDeviceControl;
    driver->MajorFunction[IRP_MJ_CLEANUP] = DpCleanup;
    driver->MajorFunction[IRP_MJ_SHUTDOWN] = DpShutdownFlush;
    driver->MajorFunction[IRP_MJ_FLUSH_BUFFERS] = DpShutdownFlush;
    driver->MajorFunction[IRP_MJ_SYSTEM_CONTROL] = DpSystemControl;
    driver->MajorFunction[IRP_MJ_POWER] = DpPower;
    driver->MajorFunction[IRP_MJ_PNP] = DpPnp;
    driver->AddDevice = DpAddDevice;
    return STATUS_SUCCESS;
}

/* The harness: every routine by name. */

static NTSTATUS RunDispatch(PDEVICE_OBJECT device, PIRP irp)
{
    switch (IoGetCurrentIrpStackLocation(irp)->MajorFunction) {
    case IRP_MJ_CREATE:
        return DpCreate(device, irp);
    case IRP_MJ_READ:
    case IRP_MJ_WRITE:
        return DpReadWrite(device, irp);
    case IRP_MJ_DEVICE_CONTROL:
        return DpDeviceControl(device, irp);
    case IRP_MJ_CLEANUP:
        return DpCleanup(device, irp);
    case IRP_MJ_SHUTDOWN:
    case IRP_MJ_FLUSH_BUFFERS:
        return DpShutdownFlush(device, irp);
    case IRP_MJ_SYSTEM_CONTROL:
        return DpSystemControl(device, irp);
    case IRP_MJ_POWER:
        return DpPower(device, irp);
    case IRP_MJ_PNP:
        return DpPnp(device, irp);
    default:
        return DpSendDown(device, irp);
    }
}

static VOID RunCancel(PDEVICE_OBJECT device, PIRP irp)
{
    PDRIVER_CANCEL routine;

    IoAcquireCancelSpinLock(&irp->CancelIrql);
    irp->Cancel = TRUE;
    routine = IoSetCancelRoutine(irp, NULL);
    if (routine == DpCancelThreshold)
        DpCancelThreshold(device, irp);
    else
        IoReleaseCancelSpinLock(irp->CancelIrql);
}

static VOID RunDpc(PDEVICE_OBJECT device)
{
    PDISK_EXTENSION extension = device->DeviceExtension;

    DpSampleDpc(&extension->SampleDpc, extension, NULL, NULL);
}

static VOID RunCompletion(PDEVICE_OBJECT device, PIRP irp)
{
    switch (__VERIFIER_nondet_uchar() % 3) {
    case 0:
        DpSyncDone(device, irp, &ModelEvent);
        break;
    case 1:
        DpPowerDone(device, irp, device->DeviceExtension);
        break;
    default:
        DpReadWriteDone(device, irp, device->DeviceExtension);
        break;
    }
}

static VOID RunInterrupt(PDEVICE_OBJECT device)
{
}

int main(void)
{
    static DRIVER_OBJECT driver;
    static DEVICE_OBJECT physical;

    if (NT_SUCCESS(DpDriverEntry(&driver)) && NT_SUCCESS(DpAddDevice(&driver, &physical)))
        RunDevice(driver.DeviceObject);
    return 0;
}
