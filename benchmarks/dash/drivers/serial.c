/*
 * A driver for a serial port. Reads and writes are queued; the interrupt moves bytes between the port and either the
 * request at the head of a queue or a ring buffer; deferred calls complete what the interrupt has finished. Timers end
 * reads that wait too long, flow control stops the transmitter, and programs can wait for events of the line.
 *
 * The request at the head of a queue can be wanted by several parties at once: its canceller, its timer, the interrupt.
 * Each of them holds a reference, kept under the system's cancel lock; the first one decides how the request ends, the
 * last one completes it and starts the next. ControlLock guards the settings of the line, RingLock the ring buffer.
 */
#include "model.h"

/* Device control codes. */
#define IOCTL_SET_BAUD_RATE 1
#define IOCTL_GET_BAUD_RATE 2
#define IOCTL_SET_LINE_CONTROL 3
#define IOCTL_GET_LINE_CONTROL 4
#define IOCTL_SET_TIMEOUTS 5
#define IOCTL_GET_TIMEOUTS 6
#define IOCTL_SET_CHARACTERS 7
#define IOCTL_GET_CHARACTERS 8
#define IOCTL_SET_HANDFLOW 9
#define IOCTL_GET_HANDFLOW 10
#define IOCTL_SET_WAIT_MASK 11
#define IOCTL_GET_WAIT_MASK 12
#define IOCTL_WAIT_ON_MASK 13
#define IOCTL_PURGE 14
#define IOCTL_SET_QUEUE_SIZE 15
#define IOCTL_GET_COMM_STATUS 16
#define IOCTL_GET_MODEM_STATUS 17
#define IOCTL_SET_DTR 18
#define IOCTL_CLEAR_DTR 19
#define IOCTL_SET_RTS 20
#define IOCTL_CLEAR_RTS 21
#define IOCTL_SET_BREAK_ON 22
#define IOCTL_SET_BREAK_OFF 23
#define IOCTL_SET_XON 24
#define IOCTL_SET_XOFF 25
#define IOCTL_IMMEDIATE_CHARACTER 26
#define IOCTL_GET_STATISTICS 27
#define IOCTL_CLEAR_STATISTICS 28
#define IOCTL_RESET_DEVICE 29
#define IOCTL_GET_PROPERTIES 30

/* Interrupt identification. */
#define INTERRUPT_NONE 0x01
#define INTERRUPT_LINE_STATUS 0x06
#define INTERRUPT_RECEIVED 0x04
#define INTERRUPT_TRANSMIT_EMPTY 0x02
#define INTERRUPT_MODEM_STATUS 0x00

/* Line status. */
#define LINE_DATA_READY 0x01
#define LINE_OVERRUN 0x02
#define LINE_PARITY 0x04
#define LINE_FRAMING 0x08
#define LINE_BREAK 0x10

/* Modem status and control. */
#define MODEM_CTS_CHANGED 0x01
#define MODEM_DSR_CHANGED 0x02
#define MODEM_RING_CHANGED 0x04
#define MODEM_DCD_CHANGED 0x08
#define MODEM_CTS 0x10
#define MODEM_DSR 0x20
#define MODEM_RING 0x40
#define MODEM_DCD 0x80
#define CONTROL_DTR 0x01
#define CONTROL_RTS 0x02

/* Events a program can wait for. */
#define EVENT_RECEIVED 0x01
#define EVENT_FLAG_CHARACTER 0x02
#define EVENT_TRANSMIT_EMPTY 0x04
#define EVENT_CTS 0x08
#define EVENT_DSR 0x10
#define EVENT_BREAK 0x20
#define EVENT_ERROR 0x40
#define EVENT_RING 0x80

/* Why the transmitter is held. */
#define HELD_BY_CTS 0x01
#define HELD_BY_DSR 0x02
#define HELD_BY_XOFF 0x04
#define HELD_BY_BREAK 0x08

/* Flow control settings. */
#define FLOW_CTS 0x01
#define FLOW_DSR 0x02
#define FLOW_XON_TRANSMIT 0x04
#define FLOW_XON_RECEIVE 0x08
#define FLOW_RTS 0x10
#define FLOW_ALL 0x1F

/* What to purge. */
#define PURGE_ABORT_WRITES 0x01
#define PURGE_ABORT_READS 0x02
#define PURGE_CLEAR_RING 0x08

/* Who refers to the request at the head of a queue. */
#define REFERENCE_CANCEL 0x01
#define REFERENCE_TIMER 0x02
#define REFERENCE_INTERRUPT 0x04

#define RING_SIZE 32
#define BAUD_RATES 12

typedef enum { NotStarted, Started, Stopped, StopPending, RemovePending, SurpriseRemoved, Removed } PNP_STATE;

struct _SERIAL_EXTENSION;

/* Requests of one kind: the one being worked on, and those behind it. Guarded by the cancel lock. */
typedef struct _REQUEST_QUEUE {
    struct _SERIAL_EXTENSION *Extension;
    PIRP Current;
    LIST_ENTRY Waiting;
    ULONG Length;
    UCHAR References;
    BOOLEAN Ending;
    NTSTATUS EndStatus;
    PDRIVER_CANCEL CancelCurrent;
    KTIMER Timer;
    KDPC TimeoutDpc;
    KDPC CompleteDpc;
} REQUEST_QUEUE, *PREQUEST_QUEUE;

typedef struct _BAUD_ENTRY {
    ULONG Rate;
    USHORT Divisor;
} BAUD_ENTRY;

static const BAUD_ENTRY BaudTable[BAUD_RATES] = {
    {75, 1536},
    {110, 1047},
    {150, 768},
    {300, 384},
    {600, 192},
    {1200, 96},
    {2400, 48},
    {4800, 24},
    {9600, 12},
    {19200, 6},
    {38400, 3},
    {57600, 2},
};

typedef struct _LINE_CONTROL {
    UCHAR StopBits;
    UCHAR Parity;
    UCHAR WordLength;
    BOOLEAN Break;
} LINE_CONTROL, *PLINE_CONTROL;

typedef struct _CHARACTERS {
    UCHAR Xon;
    UCHAR Xoff;
    UCHAR Event;
    UCHAR Error;
    UCHAR EndOfFile;
} CHARACTERS, *PCHARACTERS;

typedef struct _TIMEOUTS {
    UCHAR Interval;
    UCHAR Total;
    UCHAR PerByte;
} TIMEOUTS, *PTIMEOUTS;

typedef struct _STATISTICS {
    ULONG Received;
    ULONG Transmitted;
    ULONG OverrunErrors;
    ULONG ParityErrors;
    ULONG FramingErrors;
    ULONG BufferOverruns;
    ULONG Breaks;
} STATISTICS, *PSTATISTICS;

typedef struct _RING {
    UCHAR Bytes[RING_SIZE];
    ULONG Size;
    ULONG First;
    ULONG Count;
    ULONG XoffLimit;
    ULONG XonLimit;
} RING, *PRING;

typedef struct _SERIAL_EXTENSION {
    PDEVICE_OBJECT Self;
    PDEVICE_OBJECT Lower;
    PNP_STATE PnpState;
    ULONG PowerState;
    LONG Outstanding;
    LONG OpenCount;
    KEVENT RemoveEvent;
    PUCHAR Port;
    KINTERRUPT Interrupt;

    KSPIN_LOCK ControlLock;
    ULONG BaudRate;
    USHORT Divisor;
    LINE_CONTROL LineControl;
    CHARACTERS Characters;
    TIMEOUTS Timeouts;
    UCHAR FlowControl;
    UCHAR ModemControl;
    UCHAR ModemStatus;
    UCHAR LineErrors;

    KSPIN_LOCK RingLock;
    RING Ring;
    BOOLEAN SenderStopped;

    REQUEST_QUEUE Reads;
    REQUEST_QUEUE Writes;
    ULONG ReadDone;
    ULONG WriteDone;
    BOOLEAN ReadInInterrupt;
    BOOLEAN WriteInInterrupt;
    UCHAR TransmitHeld;
    BOOLEAN ImmediateWaiting;
    UCHAR ImmediateCharacter;

    UCHAR WaitMask;
    UCHAR EventHistory;
    PIRP MaskRequest;
    KDPC EventDpc;
    STATISTICS Statistics;
} SERIAL_EXTENSION, *PSERIAL_EXTENSION;

/* Counting and completing. */

static VOID SeReference(PSERIAL_EXTENSION extension)
{
    InterlockedIncrement(&extension->Outstanding);
}

static VOID SeDereference(PSERIAL_EXTENSION extension)
{
    if (InterlockedDecrement(&extension->Outstanding) == 0)
        KeSetEvent(&extension->RemoveEvent, IO_NO_INCREMENT, FALSE);
}

static NTSTATUS SeComplete(PIRP irp, NTSTATUS status, ULONG information)
{
    irp->IoStatus.Status = status;
    irp->IoStatus.Information = information;
    IoCompleteRequest(irp, NT_SUCCESS(status) ? IO_SERIAL_INCREMENT : IO_NO_INCREMENT);
    return status;
}

/* Complete a request that was counted. */
static NTSTATUS SeFinish(PSERIAL_EXTENSION extension, PIRP irp, NTSTATUS status, ULONG information)
{
    SeComplete(irp, status, information);
    SeDereference(extension);
    return status;
}

static NTSTATUS SeSendDown(PSERIAL_EXTENSION extension, PIRP irp)
{
    IoSkipCurrentIrpStackLocation(irp);
    return IoCallDriver(extension->Lower, irp);
}

static NTSTATUS SeSyncDone(PDEVICE_OBJECT device, PIRP irp, PVOID context)
{
    KeSetEvent(context, IO_NO_INCREMENT, FALSE);
    return STATUS_MORE_PROCESSING_REQUIRED;
}

static NTSTATUS SeSendDownAndWait(PSERIAL_EXTENSION extension, PIRP irp)
{
    KEVENT done;
    NTSTATUS status;

    KeInitializeEvent(&done, 0, FALSE);
    IoCopyCurrentIrpStackLocationToNext(irp);
    IoSetCompletionRoutine(irp, SeSyncDone, &done, TRUE, TRUE, TRUE);
    status = IoCallDriver(extension->Lower, irp);
    if (status == STATUS_PENDING) {
        KeWaitForSingleObject(&done);
        status = irp->IoStatus.Status;
    }
    return status;
}

static BOOLEAN SeGone(PSERIAL_EXTENSION extension)
{
    return extension->PnpState == Removed || extension->PnpState == SurpriseRemoved;
}

/* Ring buffer. */

static VOID SeRingClear(PRING ring)
{
    ring->First = 0;
    ring->Count = 0;
}

/* FALSE: the ring is full and the byte is lost. */
static BOOLEAN SeRingPut(PRING ring, UCHAR byte)
{
    ULONG at;

    if (ring->Count >= ring->Size)
        return FALSE;
    at = (ring->First + ring->Count) % ring->Size;
    ring->Bytes[at] = byte;
    ring->Count++;
    return TRUE;
}

static UCHAR SeRingGet(PRING ring)
{
    UCHAR byte = ring->Bytes[ring->First];

    ring->First = (ring->First + 1) % ring->Size;
    ring->Count--;
    return byte;
}

static VOID SeRingResize(PRING ring, ULONG size)
{
    ring->Size = size;
    ring->XoffLimit = size - size / 4;
    ring->XonLimit = size / 4;
    SeRingClear(ring);
}

static ULONG SeRoomOf(PIRP irp)
{
    ULONG length = IoGetCurrentIrpStackLocation(irp)->Parameters.Read.Length;
    return length > SYSTEM_BUFFER_SIZE ? SYSTEM_BUFFER_SIZE : length;
}

/* Move bytes from the ring to the read at the head of the queue. The lock of the ring is held. */
static VOID SeRingToRead(PSERIAL_EXTENSION extension, PIRP irp)
{
    ULONG room = SeRoomOf(irp);

    while (extension->ReadDone < room && extension->Ring.Count > 0) {
        irp->SystemBuffer[extension->ReadDone] = SeRingGet(&extension->Ring);
        extension->ReadDone++;
    }
}

/* With room in the ring again, the other side may send again. The lock of the ring is held. */
static VOID SeLetSenderGo(PSERIAL_EXTENSION extension)
{
    if (!extension->SenderStopped || extension->Ring.Count > extension->Ring.XonLimit)
        return;
    extension->SenderStopped = FALSE;
    if ((extension->FlowControl & FLOW_RTS) != 0)
        WRITE_PORT_UCHAR(extension->Port, extension->ModemControl | CONTROL_RTS);
    if ((extension->FlowControl & FLOW_XON_RECEIVE) != 0)
        WRITE_PORT_UCHAR(extension->Port, extension->Characters.Xon);
}

static VOID SeStopSender(PSERIAL_EXTENSION extension)
{
    if (extension->SenderStopped || extension->Ring.Count < extension->Ring.XoffLimit)
        return;
    extension->SenderStopped = TRUE;
    if ((extension->FlowControl & FLOW_RTS) != 0)
        WRITE_PORT_UCHAR(extension->Port, extension->ModemControl & ~CONTROL_RTS);
    if ((extension->FlowControl & FLOW_XON_RECEIVE) != 0)
        WRITE_PORT_UCHAR(extension->Port, extension->Characters.Xoff);
}

/* Queue discipline. */

static VOID SeStart(PSERIAL_EXTENSION extension, PREQUEST_QUEUE queue);

static VOID SeInitializeQueue(PSERIAL_EXTENSION extension, PREQUEST_QUEUE queue, PDRIVER_CANCEL cancel,
                              PKDEFERRED_ROUTINE timeout, PKDEFERRED_ROUTINE complete)
{
    queue->Extension = extension;
    queue->Current = NULL;
    queue->Length = 0;
    queue->References = 0;
    queue->Ending = FALSE;
    queue->EndStatus = STATUS_SUCCESS;
    queue->CancelCurrent = cancel;
    InitializeListHead(&queue->Waiting);
    KeInitializeTimer(&queue->Timer);
    KeInitializeDpc(&queue->TimeoutDpc, timeout, queue);
    KeInitializeDpc(&queue->CompleteDpc, complete, queue);
}

static VOID SeCancelQueued(PDEVICE_OBJECT device, PIRP irp)
{
    PSERIAL_EXTENSION extension = device->DeviceExtension;
    PREQUEST_QUEUE queue = irp->DriverContext[0];

    RemoveEntryList(&irp->ListEntry);
    queue->Length--;
    IoReleaseCancelSpinLock(irp->CancelIrql);
    SeFinish(extension, irp, STATUS_CANCELLED, 0);
}

/* A new request: work on it at once, or put it behind the others. */
static NTSTATUS SeStartOrQueue(PREQUEST_QUEUE queue, PIRP irp)
{
    PSERIAL_EXTENSION extension = queue->Extension;
    KIRQL irql;

    IoAcquireCancelSpinLock(&irql);
    if (irp->Cancel) {
        IoReleaseCancelSpinLock(irql);
        return SeFinish(extension, irp, STATUS_CANCELLED, 0);
    }
    irp->DriverContext[0] = queue;
    IoMarkIrpPending(irp);
    if (queue->Current == NULL && IsListEmpty(&queue->Waiting)) {
        queue->Current = irp;
        queue->Ending = FALSE;
        queue->References = 0;
        IoReleaseCancelSpinLock(irql);
        SeStart(extension, queue);
        return STATUS_PENDING;
    }
    IoSetCancelRoutine(irp, SeCancelQueued);
    InsertTailList(&queue->Waiting, &irp->ListEntry);
    queue->Length++;
    IoReleaseCancelSpinLock(irql);
    return STATUS_PENDING;
}

/* The current request is over: complete it, and make the next one current. TRUE if there is one. */
static BOOLEAN SeNext(PREQUEST_QUEUE queue, NTSTATUS status, ULONG information)
{
    PIRP done;
    BOOLEAN more = FALSE;
    KIRQL irql;

    IoAcquireCancelSpinLock(&irql);
    done = queue->Current;
    queue->Current = NULL;
    queue->Ending = FALSE;
    queue->References = 0;
    if (!IsListEmpty(&queue->Waiting)) {
        PIRP next = CONTAINING_RECORD(RemoveHeadList(&queue->Waiting), IRP, ListEntry);
        IoSetCancelRoutine(next, NULL);
        queue->Current = next;
        queue->Length--;
        more = TRUE;
    }
    IoReleaseCancelSpinLock(irql);
    if (done != NULL)
        SeFinish(queue->Extension, done, status, information);
    return more;
}

static VOID SeFailWaiting(PREQUEST_QUEUE queue, NTSTATUS status)
{
    KIRQL irql;

    IoAcquireCancelSpinLock(&irql);
    while (!IsListEmpty(&queue->Waiting)) {
        PIRP irp = CONTAINING_RECORD(RemoveHeadList(&queue->Waiting), IRP, ListEntry);
        IoSetCancelRoutine(irp, NULL);
        queue->Length--;
        IoReleaseCancelSpinLock(irql);
        SeFinish(queue->Extension, irp, status, 0);
        IoAcquireCancelSpinLock(&irql);
    }
    IoReleaseCancelSpinLock(irql);
}

/* Run with the interrupt held off: take the request away from it, if it still has it. */

static BOOLEAN SeGrabRead(PVOID context)
{
    PSERIAL_EXTENSION extension = context;
    BOOLEAN had = extension->ReadInInterrupt;
    extension->ReadInInterrupt = FALSE;
    return had;
}

static BOOLEAN SeGrabWrite(PVOID context)
{
    PSERIAL_EXTENSION extension = context;
    BOOLEAN had = extension->WriteInInterrupt;
    extension->WriteInInterrupt = FALSE;
    return had;
}

static BOOLEAN SeGrabFromInterrupt(PREQUEST_QUEUE queue)
{
    PSERIAL_EXTENSION extension = queue->Extension;
    PKSERVICE_ROUTINE grab = queue == &extension->Reads ? SeGrabRead : SeGrabWrite;
    return KeSynchronizeExecution(&extension->Interrupt, grab, extension);
}

static ULONG SeBytesDone(PREQUEST_QUEUE queue)
{
    PSERIAL_EXTENSION extension = queue->Extension;
    return queue == &extension->Reads ? extension->ReadDone : extension->WriteDone;
}

/*
 * One party gives up its reference. The first one says how the request ends and takes it away from the others as far as
 * that is still possible. The last one completes it. The cancel lock is held at the beginning and free at the end.
 */
static VOID SeTryToComplete(PREQUEST_QUEUE queue, KIRQL irql, UCHAR reference, NTSTATUS status)
{
    PIRP irp = queue->Current;

    queue->References &= ~reference;
    if (!queue->Ending) {
        queue->Ending = TRUE;
        queue->EndStatus = status;
        if ((queue->References & REFERENCE_CANCEL) != 0 && IoSetCancelRoutine(irp, NULL) != NULL)
            queue->References &= ~REFERENCE_CANCEL;
        if ((queue->References & REFERENCE_TIMER) != 0 && KeCancelTimer(&queue->Timer))
            queue->References &= ~REFERENCE_TIMER;
        if ((queue->References & REFERENCE_INTERRUPT) != 0 && SeGrabFromInterrupt(queue))
            queue->References &= ~REFERENCE_INTERRUPT;
    }
    if (queue->References != 0) {
        IoReleaseCancelSpinLock(irql);
        return;
    }
    IoReleaseCancelSpinLock(irql);
    if (SeNext(queue, queue->EndStatus, SeBytesDone(queue)))
        SeStart(queue->Extension, queue);
}

static VOID SeCancelCurrent(PDEVICE_OBJECT device, PIRP irp)
{
    PREQUEST_QUEUE queue = irp->DriverContext[0];
    SeTryToComplete(queue, irp->CancelIrql, REFERENCE_CANCEL, STATUS_CANCELLED);
}

static VOID SeTimeoutDpc(PKDPC dpc, PVOID context, PVOID argument1, PVOID argument2)
{
    PREQUEST_QUEUE queue = context;
    KIRQL irql;

    IoAcquireCancelSpinLock(&irql);
    if (queue->Current == NULL || (queue->References & REFERENCE_TIMER) == 0) {
        IoReleaseCancelSpinLock(irql);
        return;
    }
    SeTryToComplete(queue, irql, REFERENCE_TIMER, STATUS_TIMEOUT);
}

static VOID SeCompleteDpc(PKDPC dpc, PVOID context, PVOID argument1, PVOID argument2)
{
    PREQUEST_QUEUE queue = context;
    KIRQL irql;

    IoAcquireCancelSpinLock(&irql);
    if (queue->Current == NULL || (queue->References & REFERENCE_INTERRUPT) == 0) {
        IoReleaseCancelSpinLock(irql);
        return;
    }
    SeTryToComplete(queue, irql, REFERENCE_INTERRUPT, STATUS_SUCCESS);
}

/* End the current request for a reason of the driver's own, if there is one that is still being worked on. */
static VOID SeAbortCurrent(PREQUEST_QUEUE queue, NTSTATUS status)
{
    KIRQL irql;

    IoAcquireCancelSpinLock(&irql);
    if (queue->Current == NULL || queue->Ending || queue->References == 0) {
        IoReleaseCancelSpinLock(irql);
        return;
    }
    SeTryToComplete(queue, irql, 0, status);
}

static VOID SeAbortAll(PREQUEST_QUEUE queue, NTSTATUS status)
{
    SeFailWaiting(queue, status);
    SeAbortCurrent(queue, status);
}

/* Reads. */

static ULONG SeReadTimeout(PSERIAL_EXTENSION extension, ULONG length)
{
    KIRQL irql;
    ULONG timeout;

    KeAcquireSpinLock(&extension->ControlLock, &irql);
    timeout = extension->Timeouts.Total + extension->Timeouts.PerByte * length;
    KeReleaseSpinLock(&extension->ControlLock, irql);
    return timeout;
}

static BOOLEAN SeReturnsAtOnce(PSERIAL_EXTENSION extension)
{
    KIRQL irql;
    BOOLEAN atOnce;

    KeAcquireSpinLock(&extension->ControlLock, &irql);
    atOnce = extension->Timeouts.Interval == 255 && extension->Timeouts.Total == 0;
    KeReleaseSpinLock(&extension->ControlLock, irql);
    return atOnce;
}

/* Hand the current request to its canceller, its timer and the interrupt. */
static VOID SeShare(PREQUEST_QUEUE queue, ULONG timeout, BOOLEAN *inInterrupt)
{
    KIRQL irql;
    PIRP irp;

    IoAcquireCancelSpinLock(&irql);
    irp = queue->Current;
    if (irp->Cancel) {
        queue->References = 0;
        SeTryToComplete(queue, irql, 0, STATUS_CANCELLED);
        return;
    }
    queue->References = REFERENCE_CANCEL | REFERENCE_INTERRUPT;
    IoSetCancelRoutine(irp, queue->CancelCurrent);
    *inInterrupt = TRUE;
    if (timeout > 0) {
        queue->References |= REFERENCE_TIMER;
        KeSetTimer(&queue->Timer, -(LONGLONG)timeout, &queue->TimeoutDpc);
    }
    IoReleaseCancelSpinLock(irql);
}

/*
 * Work on the read at the head of the queue. Reads that the ring buffer can satisfy are completed here, one after the
 * other; the first one that has to wait is left to the interrupt.
 */
static VOID SeStartRead(PSERIAL_EXTENSION extension, PREQUEST_QUEUE queue)
{
    BOOLEAN more = TRUE;

    while (more) {
        PIRP irp = queue->Current;
        ULONG wanted = SeRoomOf(irp);
        BOOLEAN satisfied;
        KIRQL irql;

        KeAcquireSpinLock(&extension->RingLock, &irql);
        extension->ReadDone = 0;
        SeRingToRead(extension, irp);
        SeLetSenderGo(extension);
        satisfied = extension->ReadDone == wanted;
        KeReleaseSpinLock(&extension->RingLock, irql);
        if (!satisfied && !SeReturnsAtOnce(extension)) {
            SeShare(queue, SeReadTimeout(extension, wanted), &extension->ReadInInterrupt);
            return;
        }
        more = SeNext(queue, STATUS_SUCCESS, extension->ReadDone);
    }
}

/* Writes. */

static VOID SeStartWrite(PSERIAL_EXTENSION extension, PREQUEST_QUEUE queue)
{
    ULONG timeout;

    while (SeRoomOf(queue->Current) == 0) {
        if (!SeNext(queue, STATUS_SUCCESS, 0))
            return;
    }
    extension->WriteDone = 0;
    timeout = SeReadTimeout(extension, SeRoomOf(queue->Current));
    SeShare(queue, timeout, &extension->WriteInInterrupt);
}

/* Work on the request at the head of a queue. */
static VOID SeStart(PSERIAL_EXTENSION extension, PREQUEST_QUEUE queue)
{
    if (queue == &extension->Reads)
        SeStartRead(extension, queue);
    else
        SeStartWrite(extension, queue);
}

/* Event requests. */

static VOID SeCancelMask(PDEVICE_OBJECT device, PIRP irp)
{
    PSERIAL_EXTENSION extension = device->DeviceExtension;

    extension->MaskRequest = NULL;
    IoReleaseCancelSpinLock(irp->CancelIrql);
    SeFinish(extension, irp, STATUS_CANCELLED, 0);
}

/* Take the waiting event request out of everybody's reach. */
static PIRP SeTakeMaskRequest(PSERIAL_EXTENSION extension)
{
    KIRQL irql;
    PIRP irp;

    IoAcquireCancelSpinLock(&irql);
    irp = extension->MaskRequest;
    if (irp != NULL) {
        extension->MaskRequest = NULL;
        IoSetCancelRoutine(irp, NULL);
    }
    IoReleaseCancelSpinLock(irql);
    return irp;
}

static VOID SeFinishMask(PSERIAL_EXTENSION extension, UCHAR events)
{
    PIRP irp = SeTakeMaskRequest(extension);

    if (irp != NULL) {
        irp->SystemBuffer[0] = events;
        SeFinish(extension, irp, STATUS_SUCCESS, 1);
    }
}

static VOID SeEventDpc(PKDPC dpc, PVOID context, PVOID argument1, PVOID argument2)
{
    PSERIAL_EXTENSION extension = context;
    UCHAR events = extension->EventHistory;

    if (events != 0) {
        extension->EventHistory = 0;
        SeFinishMask(extension, events);
    }
}

static NTSTATUS SeWaitOnMask(PSERIAL_EXTENSION extension, PIRP irp)
{
    KIRQL irql;
    UCHAR events;

    if (extension->WaitMask == 0)
        return SeFinish(extension, irp, STATUS_INVALID_PARAMETER, 0);
    if (extension->EventHistory != 0) {
        events = extension->EventHistory;
        extension->EventHistory = 0;
        irp->SystemBuffer[0] = events;
        return SeFinish(extension, irp, STATUS_SUCCESS, 1);
    }
    IoAcquireCancelSpinLock(&irql);
    if (extension->MaskRequest != NULL) {
        IoReleaseCancelSpinLock(irql);
        return SeFinish(extension, irp, STATUS_INVALID_PARAMETER, 0);
    }
    if (irp->Cancel) {
        IoReleaseCancelSpinLock(irql);
        return SeFinish(extension, irp, STATUS_CANCELLED, 0);
    }
    IoSetCancelRoutine(irp, SeCancelMask);
    IoMarkIrpPending(irp);
    extension->MaskRequest = irp;
    IoReleaseCancelSpinLock(irql);
    return STATUS_PENDING;
}

static NTSTATUS SeSetWaitMask(PSERIAL_EXTENSION extension, PIRP irp, ULONG given)
{
    if (given < 1)
        return SeFinish(extension, irp, STATUS_INVALID_PARAMETER, 0);
    SeFinishMask(extension, 0);
    extension->WaitMask = irp->SystemBuffer[0];
    extension->EventHistory = 0;
    return SeFinish(extension, irp, STATUS_SUCCESS, 0);
}

/* Interrupt. */

static VOID SeNoteEvent(PSERIAL_EXTENSION extension, UCHAR event)
{
    if ((extension->WaitMask & event) == 0)
        return;
    extension->EventHistory |= event;
    KeInsertQueueDpc(&extension->EventDpc, NULL, NULL);
}

static VOID SeHandleLineStatus(PSERIAL_EXTENSION extension, UCHAR line)
{
    if ((line & LINE_OVERRUN) != 0)
        extension->Statistics.OverrunErrors++;
    if ((line & LINE_PARITY) != 0)
        extension->Statistics.ParityErrors++;
    if ((line & LINE_FRAMING) != 0)
        extension->Statistics.FramingErrors++;
    if ((line & LINE_BREAK) != 0) {
        extension->Statistics.Breaks++;
        SeNoteEvent(extension, EVENT_BREAK);
    }
    if ((line & (LINE_OVERRUN | LINE_PARITY | LINE_FRAMING)) != 0) {
        extension->LineErrors |= line & (LINE_OVERRUN | LINE_PARITY | LINE_FRAMING);
        SeNoteEvent(extension, EVENT_ERROR);
    }
}

/* TRUE: the byte was flow control and is not data. */
static BOOLEAN SeHandleFlowByte(PSERIAL_EXTENSION extension, UCHAR byte)
{
    if ((extension->FlowControl & FLOW_XON_TRANSMIT) == 0)
        return FALSE;
    if (byte == extension->Characters.Xoff) {
        extension->TransmitHeld |= HELD_BY_XOFF;
        return TRUE;
    }
    if (byte == extension->Characters.Xon) {
        extension->TransmitHeld &= ~HELD_BY_XOFF;
        return TRUE;
    }
    return FALSE;
}

static VOID SeReceiveIntoRead(PSERIAL_EXTENSION extension, UCHAR byte)
{
    PIRP irp = extension->Reads.Current;
    ULONG room = SeRoomOf(irp);

    if (extension->ReadDone < room) {
        irp->SystemBuffer[extension->ReadDone] = byte;
        extension->ReadDone++;
    }
    if (extension->ReadDone == room) {
        extension->ReadInInterrupt = FALSE;
        KeInsertQueueDpc(&extension->Reads.CompleteDpc, NULL, NULL);
    }
}

static VOID SeReceiveIntoRing(PSERIAL_EXTENSION extension, UCHAR byte)
{
    if (!SeRingPut(&extension->Ring, byte)) {
        extension->Statistics.BufferOverruns++;
        SeNoteEvent(extension, EVENT_ERROR);
    }
    SeStopSender(extension);
}

static VOID SeHandleReceived(PSERIAL_EXTENSION extension)
{
    UCHAR byte = READ_PORT_UCHAR(extension->Port);

    extension->Statistics.Received++;
    if (SeHandleFlowByte(extension, byte))
        return;
    SeNoteEvent(extension, EVENT_RECEIVED);
    if (byte == extension->Characters.Event)
        SeNoteEvent(extension, EVENT_FLAG_CHARACTER);
    if (extension->ReadInInterrupt && extension->Reads.Current != NULL)
        SeReceiveIntoRead(extension, byte);
    else
        SeReceiveIntoRing(extension, byte);
}

static VOID SeHandleTransmitEmpty(PSERIAL_EXTENSION extension)
{
    PIRP irp = extension->Writes.Current;

    if (extension->ImmediateWaiting) {
        WRITE_PORT_UCHAR(extension->Port, extension->ImmediateCharacter);
        extension->ImmediateWaiting = FALSE;
        return;
    }
    if (extension->TransmitHeld != 0 || !extension->WriteInInterrupt || irp == NULL)
        return;
    if (extension->WriteDone < SeRoomOf(irp)) {
        WRITE_PORT_UCHAR(extension->Port, irp->SystemBuffer[extension->WriteDone]);
        extension->WriteDone++;
        extension->Statistics.Transmitted++;
    }
    if (extension->WriteDone == SeRoomOf(irp)) {
        extension->WriteInInterrupt = FALSE;
        SeNoteEvent(extension, EVENT_TRANSMIT_EMPTY);
        KeInsertQueueDpc(&extension->Writes.CompleteDpc, NULL, NULL);
    }
}

static VOID SeHoldTransmitter(PSERIAL_EXTENSION extension, UCHAR reason, BOOLEAN hold)
{
    if (hold)
        extension->TransmitHeld |= reason;
    else
        extension->TransmitHeld &= ~reason;
}

static VOID SeHandleModemStatus(PSERIAL_EXTENSION extension)
{
    UCHAR modem = READ_PORT_UCHAR(extension->Port);

    extension->ModemStatus = modem;
    if ((modem & MODEM_CTS_CHANGED) != 0) {
        SeNoteEvent(extension, EVENT_CTS);
        if ((extension->FlowControl & FLOW_CTS) != 0)
            SeHoldTransmitter(extension, HELD_BY_CTS, (modem & MODEM_CTS) == 0);
    }
    if ((modem & MODEM_DSR_CHANGED) != 0) {
        SeNoteEvent(extension, EVENT_DSR);
        if ((extension->FlowControl & FLOW_DSR) != 0)
            SeHoldTransmitter(extension, HELD_BY_DSR, (modem & MODEM_DSR) == 0);
    }
    if ((modem & MODEM_RING_CHANGED) != 0)
        SeNoteEvent(extension, EVENT_RING);
}

static BOOLEAN SeInterrupt(PVOID context)
{
    PSERIAL_EXTENSION extension = context;
    BOOLEAN mine = FALSE;
    int rounds;

    for (rounds = 0; rounds < 4; rounds++) {
        UCHAR cause = READ_PORT_UCHAR(extension->Port);
        if ((cause & INTERRUPT_NONE) != 0)
            break;
        mine = TRUE;
        switch (cause & 0x06) {
        case INTERRUPT_LINE_STATUS:
            SeHandleLineStatus(extension, READ_PORT_UCHAR(extension->Port));
            break;
        case INTERRUPT_RECEIVED:
            SeHandleReceived(extension);
            break;
        case INTERRUPT_TRANSMIT_EMPTY:
            SeHandleTransmitEmpty(extension);
            break;
        default:
            SeHandleModemStatus(extension);
            break;
        }
    }
    return mine;
}

/* Line and settings. */

static NTSTATUS SeFindDivisor(ULONG rate, USHORT *divisor)
{
    int i;

    for (i = 0; i < BAUD_RATES; i++) {
        if (BaudTable[i].Rate == rate) {
            *divisor = BaudTable[i].Divisor;
            return STATUS_SUCCESS;
        }
    }
    if (rate == 0 || rate > 115200 || 115200 % rate != 0)
        return STATUS_INVALID_PARAMETER;
    *divisor = (USHORT)(115200 / rate);
    return STATUS_SUCCESS;
}

static VOID SeProgramDivisor(PSERIAL_EXTENSION extension)
{
    WRITE_PORT_UCHAR(extension->Port, (UCHAR)extension->Divisor);
    WRITE_PORT_UCHAR(extension->Port, (UCHAR)(extension->Divisor >> 8));
}

static UCHAR SeEncodeLine(PLINE_CONTROL line)
{
    UCHAR code = (UCHAR)(line->WordLength - 5);

    if (line->StopBits != 0)
        code |= 0x04;
    switch (line->Parity) {
    case 1:
        code |= 0x08;
        break;
    case 2:
        code |= 0x18;
        break;
    case 3:
        code |= 0x28;
        break;
    case 4:
        code |= 0x38;
        break;
    default:
        break;
    }
    if (line->Break)
        code |= 0x40;
    return code;
}

static NTSTATUS SeSetBaudRate(PSERIAL_EXTENSION extension, PIRP irp, ULONG given)
{
    ULONG rate;
    USHORT divisor;
    KIRQL irql;
    NTSTATUS status;

    if (given < 4)
        return SeFinish(extension, irp, STATUS_BUFFER_TOO_SMALL, 0);
    rate = irp->SystemBuffer[0] | (ULONG)irp->SystemBuffer[1] << 8 | (ULONG)irp->SystemBuffer[2] << 16;
    status = SeFindDivisor(rate, &divisor);
    if (!NT_SUCCESS(status))
        return SeFinish(extension, irp, status, 0);
    KeAcquireSpinLock(&extension->ControlLock, &irql);
    extension->BaudRate = rate;
    extension->Divisor = divisor;
    SeProgramDivisor(extension);
    KeReleaseSpinLock(&extension->ControlLock, irql);
    return SeFinish(extension, irp, STATUS_SUCCESS, 0);
}

static NTSTATUS SeGetBaudRate(PSERIAL_EXTENSION extension, PIRP irp, ULONG room)
{
    KIRQL irql;

    if (room < 4)
        return SeFinish(extension, irp, STATUS_BUFFER_TOO_SMALL, 0);
    KeAcquireSpinLock(&extension->ControlLock, &irql);
    irp->SystemBuffer[0] = (UCHAR)extension->BaudRate;
    irp->SystemBuffer[1] = (UCHAR)(extension->BaudRate >> 8);
    irp->SystemBuffer[2] = (UCHAR)(extension->BaudRate >> 16);
    irp->SystemBuffer[3] = 0;
    KeReleaseSpinLock(&extension->ControlLock, irql);
    return SeFinish(extension, irp, STATUS_SUCCESS, 4);
}

static NTSTATUS SeCheckLine(PLINE_CONTROL line)
{
    if (line->WordLength < 5 || line->WordLength > 8)
        return STATUS_INVALID_PARAMETER;
    if (line->Parity > 4 || line->StopBits > 2)
        return STATUS_INVALID_PARAMETER;
    if (line->StopBits == 1 && line->WordLength != 5)
        return STATUS_INVALID_PARAMETER;
    if (line->StopBits == 2 && line->WordLength == 5)
        return STATUS_INVALID_PARAMETER;
    return STATUS_SUCCESS;
}

static NTSTATUS SeSetLineControl(PSERIAL_EXTENSION extension, PIRP irp, ULONG given)
{
    LINE_CONTROL line;
    KIRQL irql;
    NTSTATUS status;

    if (given < 3)
        return SeFinish(extension, irp, STATUS_BUFFER_TOO_SMALL, 0);
    line.StopBits = irp->SystemBuffer[0];
    line.Parity = irp->SystemBuffer[1];
    line.WordLength = irp->SystemBuffer[2];
    line.Break = FALSE;
    status = SeCheckLine(&line);
    if (!NT_SUCCESS(status))
        return SeFinish(extension, irp, status, 0);
    KeAcquireSpinLock(&extension->ControlLock, &irql);
    line.Break = extension->LineControl.Break;
    extension->LineControl = line;
    WRITE_PORT_UCHAR(extension->Port, SeEncodeLine(&line));
    KeReleaseSpinLock(&extension->ControlLock, irql);
    return SeFinish(extension, irp, STATUS_SUCCESS, 0);
}

static NTSTATUS SeGetLineControl(PSERIAL_EXTENSION extension, PIRP irp, ULONG room)
{
    KIRQL irql;

    if (room < 3)
        return SeFinish(extension, irp, STATUS_BUFFER_TOO_SMALL, 0);
    KeAcquireSpinLock(&extension->ControlLock, &irql);
    irp->SystemBuffer[0] = extension->LineControl.StopBits;
    irp->SystemBuffer[1] = extension->LineControl.Parity;
    irp->SystemBuffer[2] = extension->LineControl.WordLength;
    KeReleaseSpinLock(&extension->ControlLock, irql);
    return SeFinish(extension, irp, STATUS_SUCCESS, 3);
}

static NTSTATUS SeSetTimeouts(PSERIAL_EXTENSION extension, PIRP irp, ULONG given)
{
    TIMEOUTS timeouts;
    KIRQL irql;

    if (given < 3)
        return SeFinish(extension, irp, STATUS_BUFFER_TOO_SMALL, 0);
    timeouts.Interval = irp->SystemBuffer[0];
    timeouts.Total = irp->SystemBuffer[1];
    timeouts.PerByte = irp->SystemBuffer[2];
    if (timeouts.Interval == 255 && timeouts.Total == 255)
        return SeFinish(extension, irp, STATUS_INVALID_PARAMETER, 0);
    KeAcquireSpinLock(&extension->ControlLock, &irql);
    extension->Timeouts = timeouts;
    KeReleaseSpinLock(&extension->ControlLock, irql);
    return SeFinish(extension, irp, STATUS_SUCCESS, 0);
}

static NTSTATUS SeGetTimeouts(PSERIAL_EXTENSION extension, PIRP irp, ULONG room)
{
    KIRQL irql;

    if (room < 3)
        return SeFinish(extension, irp, STATUS_BUFFER_TOO_SMALL, 0);
    KeAcquireSpinLock(&extension->ControlLock, &irql);
    irp->SystemBuffer[0] = extension->Timeouts.Interval;
    irp->SystemBuffer[1] = extension->Timeouts.Total;
    irp->SystemBuffer[2] = extension->Timeouts.PerByte;
    KeReleaseSpinLock(&extension->ControlLock, irql);
    return SeFinish(extension, irp, STATUS_SUCCESS, 3);
}

/* The characters of flow control must differ from each other and from the event character. */
static NTSTATUS SeSetCharacters(PSERIAL_EXTENSION extension, PIRP irp, ULONG given)
{
    CHARACTERS characters;
    KIRQL irql;

    if (given < 5)
        return SeFinish(extension, irp, STATUS_BUFFER_TOO_SMALL, 0);
    characters.Xon = irp->SystemBuffer[0];
    characters.Xoff = irp->SystemBuffer[1];
    characters.Event = irp->SystemBuffer[2];
    characters.Error = irp->SystemBuffer[3];
    characters.EndOfFile = irp->SystemBuffer[4];
    if (characters.Xon == characters.Xoff)
        return SeFinish(extension, irp, STATUS_INVALID_PARAMETER, 0);
    KeAcquireSpinLock(&extension->ControlLock, &irql);
    if ((extension->FlowControl & (FLOW_XON_TRANSMIT | FLOW_XON_RECEIVE)) != 0) {
        if (characters.Event == characters.Xon || characters.Event == characters.Xoff) {
            KeReleaseSpinLock(&extension->ControlLock, irql);
            return SeFinish(extension, irp, STATUS_INVALID_PARAMETER, 0);
        }
    }
    extension->Characters = characters;
    KeReleaseSpinLock(&extension->ControlLock, irql);
    return SeFinish(extension, irp, STATUS_SUCCESS, 0);
}

static NTSTATUS SeGetCharacters(PSERIAL_EXTENSION extension, PIRP irp, ULONG room)
{
    KIRQL irql;

    if (room < 5)
        return SeFinish(extension, irp, STATUS_BUFFER_TOO_SMALL, 0);
    KeAcquireSpinLock(&extension->ControlLock, &irql);
    irp->SystemBuffer[0] = extension->Characters.Xon;
    irp->SystemBuffer[1] = extension->Characters.Xoff;
    irp->SystemBuffer[2] = extension->Characters.Event;
    irp->SystemBuffer[3] = extension->Characters.Error;
    irp->SystemBuffer[4] = extension->Characters.EndOfFile;
    KeReleaseSpinLock(&extension->ControlLock, irql);
    return SeFinish(extension, irp, STATUS_SUCCESS, 5);
}

static VOID SeApplyFlowControl(PSERIAL_EXTENSION extension, UCHAR flow)
{
    extension->FlowControl = flow;
    if ((flow & FLOW_CTS) == 0)
        SeHoldTransmitter(extension, HELD_BY_CTS, FALSE);
    else
        SeHoldTransmitter(extension, HELD_BY_CTS, (extension->ModemStatus & MODEM_CTS) == 0);
    if ((flow & FLOW_DSR) == 0)
        SeHoldTransmitter(extension, HELD_BY_DSR, FALSE);
    else
        SeHoldTransmitter(extension, HELD_BY_DSR, (extension->ModemStatus & MODEM_DSR) == 0);
    if ((flow & FLOW_XON_TRANSMIT) == 0)
        SeHoldTransmitter(extension, HELD_BY_XOFF, FALSE);
}

static NTSTATUS SeSetHandflow(PSERIAL_EXTENSION extension, PIRP irp, ULONG given)
{
    KIRQL control, ring;
    ULONG xon, xoff;
    UCHAR flow;

    if (given < 3)
        return SeFinish(extension, irp, STATUS_BUFFER_TOO_SMALL, 0);
    flow = irp->SystemBuffer[0];
    xon = irp->SystemBuffer[1];
    xoff = irp->SystemBuffer[2];
    if ((flow & ~FLOW_ALL) != 0)
        return SeFinish(extension, irp, STATUS_INVALID_PARAMETER, 0);
    KeAcquireSpinLock(&extension->ControlLock, &control);
    KeAcquireSpinLock(&extension->RingLock, &ring);
    if (xon >= extension->Ring.Size || xoff >= extension->Ring.Size) {
        KeReleaseSpinLock(&extension->RingLock, ring);
#ifndef BUG_SPIN_LOCK
        KeReleaseSpinLock(&extension->ControlLock, control);
#endif
        return SeFinish(extension, irp, STATUS_INVALID_PARAMETER, 0);
    }
    extension->Ring.XonLimit = xon;
    extension->Ring.XoffLimit = extension->Ring.Size - xoff;
    SeApplyFlowControl(extension, flow);
    SeStopSender(extension);
    KeReleaseSpinLock(&extension->RingLock, ring);
    KeReleaseSpinLock(&extension->ControlLock, control);
    return SeFinish(extension, irp, STATUS_SUCCESS, 0);
}

static NTSTATUS SeGetHandflow(PSERIAL_EXTENSION extension, PIRP irp, ULONG room)
{
    KIRQL irql;

    if (room < 3)
        return SeFinish(extension, irp, STATUS_BUFFER_TOO_SMALL, 0);
    KeAcquireSpinLock(&extension->ControlLock, &irql);
    irp->SystemBuffer[0] = extension->FlowControl;
    irp->SystemBuffer[1] = (UCHAR)extension->Ring.XonLimit;
    irp->SystemBuffer[2] = (UCHAR)(extension->Ring.Size - extension->Ring.XoffLimit);
    KeReleaseSpinLock(&extension->ControlLock, irql);
    return SeFinish(extension, irp, STATUS_SUCCESS, 3);
}

static NTSTATUS SeSetModemLine(PSERIAL_EXTENSION extension, PIRP irp, UCHAR line, BOOLEAN on)
{
    KIRQL irql;

    KeAcquireSpinLock(&extension->ControlLock, &irql);
    if (line == CONTROL_RTS && (extension->FlowControl & FLOW_RTS) != 0) {
        KeReleaseSpinLock(&extension->ControlLock, irql);
        return SeFinish(extension, irp, STATUS_INVALID_PARAMETER, 0);
    }
    if (on)
        extension->ModemControl |= line;
    else
        extension->ModemControl &= ~line;
    WRITE_PORT_UCHAR(extension->Port, extension->ModemControl);
    KeReleaseSpinLock(&extension->ControlLock, irql);
    return SeFinish(extension, irp, STATUS_SUCCESS, 0);
}

static NTSTATUS SeSetBreak(PSERIAL_EXTENSION extension, PIRP irp, BOOLEAN on)
{
    KIRQL irql;

    KeAcquireSpinLock(&extension->ControlLock, &irql);
    extension->LineControl.Break = on;
    SeHoldTransmitter(extension, HELD_BY_BREAK, on);
    WRITE_PORT_UCHAR(extension->Port, SeEncodeLine(&extension->LineControl));
    KeReleaseSpinLock(&extension->ControlLock, irql);
    return SeFinish(extension, irp, STATUS_SUCCESS, 0);
}

static NTSTATUS SeGetCommStatus(PSERIAL_EXTENSION extension, PIRP irp, ULONG room)
{
    KIRQL irql, ring;

    if (room < 5)
        return SeFinish(extension, irp, STATUS_BUFFER_TOO_SMALL, 0);
    KeAcquireSpinLock(&extension->ControlLock, &irql);
    irp->SystemBuffer[0] = extension->LineErrors;
    extension->LineErrors = 0;
    irp->SystemBuffer[1] = extension->TransmitHeld;
    KeAcquireSpinLock(&extension->RingLock, &ring);
    irp->SystemBuffer[2] = (UCHAR)extension->Ring.Count;
    KeReleaseSpinLock(&extension->RingLock, ring);
    irp->SystemBuffer[3] = (UCHAR)extension->Writes.Length;
    irp->SystemBuffer[4] = extension->ImmediateWaiting;
    KeReleaseSpinLock(&extension->ControlLock, irql);
    return SeFinish(extension, irp, STATUS_SUCCESS, 5);
}

static NTSTATUS SeGetModemStatus(PSERIAL_EXTENSION extension, PIRP irp, ULONG room)
{
    KIRQL irql;

    if (room < 1)
        return SeFinish(extension, irp, STATUS_BUFFER_TOO_SMALL, 0);
    KeAcquireSpinLock(&extension->ControlLock, &irql);
    extension->ModemStatus = READ_PORT_UCHAR(extension->Port);
    irp->SystemBuffer[0] = extension->ModemStatus & (MODEM_CTS | MODEM_DSR | MODEM_RING | MODEM_DCD);
    KeReleaseSpinLock(&extension->ControlLock, irql);
    return SeFinish(extension, irp, STATUS_SUCCESS, 1);
}

/* A new size for the ring buffer throws away what is in it, so nobody may be reading. */
static NTSTATUS SeSetQueueSize(PSERIAL_EXTENSION extension, PIRP irp, ULONG given)
{
    KIRQL cancel, ring;
    ULONG size;

    if (given < 1)
        return SeFinish(extension, irp, STATUS_BUFFER_TOO_SMALL, 0);
    size = irp->SystemBuffer[0];
    if (size < 4 || size > RING_SIZE)
        return SeFinish(extension, irp, STATUS_INVALID_PARAMETER, 0);
    IoAcquireCancelSpinLock(&cancel);
    if (extension->Reads.Current != NULL) {
        IoReleaseCancelSpinLock(cancel);
        return SeFinish(extension, irp, STATUS_DEVICE_BUSY, 0);
    }
    KeAcquireSpinLock(&extension->RingLock, &ring);
    SeRingResize(&extension->Ring, size);
    KeReleaseSpinLock(&extension->RingLock, ring);
    IoReleaseCancelSpinLock(cancel);
    return SeFinish(extension, irp, STATUS_SUCCESS, 0);
}

static NTSTATUS SePurge(PSERIAL_EXTENSION extension, PIRP irp, ULONG given)
{
    UCHAR what;
    KIRQL irql;

    if (given < 1)
        return SeFinish(extension, irp, STATUS_BUFFER_TOO_SMALL, 0);
    what = irp->SystemBuffer[0];
    if (what == 0 || (what & ~(PURGE_ABORT_READS | PURGE_ABORT_WRITES | PURGE_CLEAR_RING)) != 0)
        return SeFinish(extension, irp, STATUS_INVALID_PARAMETER, 0);
    if ((what & PURGE_ABORT_READS) != 0)
        SeAbortAll(&extension->Reads, STATUS_CANCELLED);
    if ((what & PURGE_ABORT_WRITES) != 0)
        SeAbortAll(&extension->Writes, STATUS_CANCELLED);
    if ((what & PURGE_CLEAR_RING) != 0) {
        KeAcquireSpinLock(&extension->RingLock, &irql);
        SeRingClear(&extension->Ring);
        SeLetSenderGo(extension);
        KeReleaseSpinLock(&extension->RingLock, irql);
    }
    return SeFinish(extension, irp, STATUS_SUCCESS, 0);
}

static NTSTATUS SeImmediate(PSERIAL_EXTENSION extension, PIRP irp, ULONG given)
{
    KIRQL irql;

    if (given < 1)
        return SeFinish(extension, irp, STATUS_BUFFER_TOO_SMALL, 0);
    KeAcquireSpinLock(&extension->ControlLock, &irql);
    if (extension->ImmediateWaiting) {
        KeReleaseSpinLock(&extension->ControlLock, irql);
        return SeFinish(extension, irp, STATUS_INVALID_PARAMETER, 0);
    }
    extension->ImmediateWaiting = TRUE;
    extension->ImmediateCharacter = irp->SystemBuffer[0];
    KeReleaseSpinLock(&extension->ControlLock, irql);
    return SeFinish(extension, irp, STATUS_SUCCESS, 0);
}

static NTSTATUS SeGetStatistics(PSERIAL_EXTENSION extension, PIRP irp, ULONG room)
{
    if (room < 7)
        return SeFinish(extension, irp, STATUS_BUFFER_TOO_SMALL, 0);
    irp->SystemBuffer[0] = (UCHAR)extension->Statistics.Received;
    irp->SystemBuffer[1] = (UCHAR)extension->Statistics.Transmitted;
    irp->SystemBuffer[2] = (UCHAR)extension->Statistics.OverrunErrors;
    irp->SystemBuffer[3] = (UCHAR)extension->Statistics.ParityErrors;
    irp->SystemBuffer[4] = (UCHAR)extension->Statistics.FramingErrors;
    irp->SystemBuffer[5] = (UCHAR)extension->Statistics.BufferOverruns;
    irp->SystemBuffer[6] = (UCHAR)extension->Statistics.Breaks;
    return SeFinish(extension, irp, STATUS_SUCCESS, 7);
}

static VOID SeClearStatistics(PSERIAL_EXTENSION extension)
{
    extension->Statistics.Received = 0;
    extension->Statistics.Transmitted = 0;
    extension->Statistics.OverrunErrors = 0;
    extension->Statistics.ParityErrors = 0;
    extension->Statistics.FramingErrors = 0;
    extension->Statistics.BufferOverruns = 0;
    extension->Statistics.Breaks = 0;
}

static VOID SeDefaults(PSERIAL_EXTENSION extension)
{
    KIRQL irql;

    KeAcquireSpinLock(&extension->ControlLock, &irql);
    extension->BaudRate = 1200;
    extension->Divisor = 96;
    extension->LineControl.StopBits = 0;
    extension->LineControl.Parity = 0;
    extension->LineControl.WordLength = 7;
    extension->LineControl.Break = FALSE;
    extension->Characters.Xon = 0x11;
    extension->Characters.Xoff = 0x13;
    extension->Characters.Event = 0;
    extension->Characters.Error = 0;
    extension->Characters.EndOfFile = 0x1A;
    extension->Timeouts.Interval = 0;
    extension->Timeouts.Total = 0;
    extension->Timeouts.PerByte = 0;
    extension->FlowControl = 0;
    extension->ModemControl = CONTROL_DTR | CONTROL_RTS;
    extension->TransmitHeld = 0;
    extension->ImmediateWaiting = FALSE;
    SeProgramDivisor(extension);
    WRITE_PORT_UCHAR(extension->Port, SeEncodeLine(&extension->LineControl));
    KeReleaseSpinLock(&extension->ControlLock, irql);
}

static NTSTATUS SeResetDevice(PSERIAL_EXTENSION extension, PIRP irp)
{
    SeAbortAll(&extension->Reads, STATUS_CANCELLED);
    SeAbortAll(&extension->Writes, STATUS_CANCELLED);
    SeFinishMask(extension, 0);
    SeDefaults(extension);
    return SeFinish(extension, irp, STATUS_SUCCESS, 0);
}

static NTSTATUS SeGetProperties(PSERIAL_EXTENSION extension, PIRP irp, ULONG room)
{
    KIRQL irql;

    if (room < 6)
        return SeFinish(extension, irp, STATUS_BUFFER_TOO_SMALL, 0);
    KeAcquireSpinLock(&extension->RingLock, &irql);
    irp->SystemBuffer[0] = 2;
    irp->SystemBuffer[1] = RING_SIZE;
    irp->SystemBuffer[2] = (UCHAR)extension->Ring.Size;
    irp->SystemBuffer[3] = BAUD_RATES;
    irp->SystemBuffer[4] = FLOW_ALL;
    irp->SystemBuffer[5] = 0x0F;
    KeReleaseSpinLock(&extension->RingLock, irql);
    return SeFinish(extension, irp, STATUS_SUCCESS, 6);
}

/* Dispatch routines. */

/* Settings that are read. */
static NTSTATUS SeControlGet(PSERIAL_EXTENSION extension, PIRP irp, ULONG code, ULONG room)
{
    switch (code) {
    case IOCTL_GET_BAUD_RATE:
        return SeGetBaudRate(extension, irp, room);
    case IOCTL_GET_LINE_CONTROL:
        return SeGetLineControl(extension, irp, room);
    case IOCTL_GET_TIMEOUTS:
        return SeGetTimeouts(extension, irp, room);
    case IOCTL_GET_CHARACTERS:
        return SeGetCharacters(extension, irp, room);
    case IOCTL_GET_HANDFLOW:
        return SeGetHandflow(extension, irp, room);
    case IOCTL_GET_WAIT_MASK:
        if (room < 1)
            return SeFinish(extension, irp, STATUS_BUFFER_TOO_SMALL, 0);
        irp->SystemBuffer[0] = extension->WaitMask;
        return SeFinish(extension, irp, STATUS_SUCCESS, 1);
    case IOCTL_GET_COMM_STATUS:
        return SeGetCommStatus(extension, irp, room);
    case IOCTL_GET_MODEM_STATUS:
        return SeGetModemStatus(extension, irp, room);
    case IOCTL_GET_STATISTICS:
        return SeGetStatistics(extension, irp, room);
    case IOCTL_GET_PROPERTIES:
        return SeGetProperties(extension, irp, room);
    default:
        return SeFinish(extension, irp, STATUS_INVALID_DEVICE_REQUEST, 0);
    }
}

/* Settings that are changed, and orders. */
static NTSTATUS SeControlSet(PSERIAL_EXTENSION extension, PIRP irp, ULONG code, ULONG given)
{
    switch (code) {
    case IOCTL_SET_BAUD_RATE:
        return SeSetBaudRate(extension, irp, given);
    case IOCTL_SET_LINE_CONTROL:
        return SeSetLineControl(extension, irp, given);
    case IOCTL_SET_TIMEOUTS:
        return SeSetTimeouts(extension, irp, given);
    case IOCTL_SET_CHARACTERS:
        return SeSetCharacters(extension, irp, given);
    case IOCTL_SET_HANDFLOW:
        return SeSetHandflow(extension, irp, given);
    case IOCTL_SET_WAIT_MASK:
        return SeSetWaitMask(extension, irp, given);
    case IOCTL_WAIT_ON_MASK:
        return SeWaitOnMask(extension, irp);
    case IOCTL_PURGE:
        return SePurge(extension, irp, given);
    case IOCTL_SET_QUEUE_SIZE:
        return SeSetQueueSize(extension, irp, given);
    case IOCTL_SET_DTR:
        return SeSetModemLine(extension, irp, CONTROL_DTR, TRUE);
    case IOCTL_CLEAR_DTR:
        return SeSetModemLine(extension, irp, CONTROL_DTR, FALSE);
    case IOCTL_SET_RTS:
        return SeSetModemLine(extension, irp, CONTROL_RTS, TRUE);
    case IOCTL_CLEAR_RTS:
        return SeSetModemLine(extension, irp, CONTROL_RTS, FALSE);
    case IOCTL_SET_BREAK_ON:
        return SeSetBreak(extension, irp, TRUE);
    case IOCTL_SET_BREAK_OFF:
        return SeSetBreak(extension, irp, FALSE);
    case IOCTL_SET_XON:
        SeHoldTransmitter(extension, HELD_BY_XOFF, FALSE);
        return SeFinish(extension, irp, STATUS_SUCCESS, 0);
    case IOCTL_SET_XOFF:
        SeHoldTransmitter(extension, HELD_BY_XOFF, TRUE);
        return SeFinish(extension, irp, STATUS_SUCCESS, 0);
    case IOCTL_IMMEDIATE_CHARACTER:
        return SeImmediate(extension, irp, given);
    case IOCTL_CLEAR_STATISTICS:
        SeClearStatistics(extension);
        return SeFinish(extension, irp, STATUS_SUCCESS, 0);
    case IOCTL_RESET_DEVICE:
        return SeResetDevice(extension, irp);
    default:
        return SeFinish(extension, irp, STATUS_INVALID_DEVICE_REQUEST, 0);
    }
}

static BOOLEAN SeIsQuestion(ULONG code)
{
    switch (code) {
    case IOCTL_GET_BAUD_RATE:
    case IOCTL_GET_LINE_CONTROL:
    case IOCTL_GET_TIMEOUTS:
    case IOCTL_GET_CHARACTERS:
    case IOCTL_GET_HANDFLOW:
    case IOCTL_GET_WAIT_MASK:
    case IOCTL_GET_COMM_STATUS:
    case IOCTL_GET_MODEM_STATUS:
    case IOCTL_GET_STATISTICS:
    case IOCTL_GET_PROPERTIES:
        return TRUE;
    default:
        return FALSE;
    }
}

/* Count a request in, or refuse it. */
static NTSTATUS SeAdmit(PSERIAL_EXTENSION extension)
{
    if (SeGone(extension))
        return STATUS_NO_SUCH_DEVICE;
    if (extension->PnpState != Started)
        return STATUS_DEVICE_NOT_READY;
    SeReference(extension);
    return STATUS_SUCCESS;
}

static NTSTATUS SeDeviceControl(PDEVICE_OBJECT device, PIRP irp)
{
    PSERIAL_EXTENSION extension = device->DeviceExtension;
    PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);
    ULONG code = stack->Parameters.DeviceIoControl.IoControlCode;
    NTSTATUS status = SeAdmit(extension);

    if (!NT_SUCCESS(status))
        return SeComplete(irp, status, 0);
    if (SeIsQuestion(code))
        return SeControlGet(extension, irp, code, stack->Parameters.DeviceIoControl.OutputBufferLength);
    return SeControlSet(extension, irp, code, stack->Parameters.DeviceIoControl.InputBufferLength);
}

static NTSTATUS SeRead(PDEVICE_OBJECT device, PIRP irp)
{
    PSERIAL_EXTENSION extension = device->DeviceExtension;
    NTSTATUS status = SeAdmit(extension);

    if (!NT_SUCCESS(status))
        return SeComplete(irp, status, 0);
    if (IoGetCurrentIrpStackLocation(irp)->Parameters.Read.Length == 0)
        return SeFinish(extension, irp, STATUS_SUCCESS, 0);
    return SeStartOrQueue(&extension->Reads, irp);
}

static NTSTATUS SeWrite(PDEVICE_OBJECT device, PIRP irp)
{
    PSERIAL_EXTENSION extension = device->DeviceExtension;
    NTSTATUS status = SeAdmit(extension);

    if (!NT_SUCCESS(status))
        return SeComplete(irp, status, 0);
    return SeStartOrQueue(&extension->Writes, irp);
}

static NTSTATUS SeFlush(PDEVICE_OBJECT device, PIRP irp)
{
    PSERIAL_EXTENSION extension = device->DeviceExtension;
    KIRQL irql;
    BOOLEAN idle;

    IoAcquireCancelSpinLock(&irql);
    idle = extension->Writes.Current == NULL;
    IoReleaseCancelSpinLock(irql);
    return SeComplete(irp, idle ? STATUS_SUCCESS : STATUS_DEVICE_BUSY, 0);
}

static NTSTATUS SeCreate(PDEVICE_OBJECT device, PIRP irp)
{
    PSERIAL_EXTENSION extension = device->DeviceExtension;

    if (extension->PnpState != Started)
        return SeComplete(irp, STATUS_DEVICE_NOT_READY, 0);
    if (InterlockedIncrement(&extension->OpenCount) != 1) {
        InterlockedDecrement(&extension->OpenCount);
        return SeComplete(irp, STATUS_ACCESS_DENIED, 0);
    }
    SeDefaults(extension);
    return SeComplete(irp, STATUS_SUCCESS, 0);
}

static NTSTATUS SeClose(PDEVICE_OBJECT device, PIRP irp)
{
    PSERIAL_EXTENSION extension = device->DeviceExtension;
    KIRQL irql;

    if (extension->OpenCount > 0)
        InterlockedDecrement(&extension->OpenCount);
    KeAcquireSpinLock(&extension->ControlLock, &irql);
    extension->ModemControl &= ~(CONTROL_DTR | CONTROL_RTS);
    WRITE_PORT_UCHAR(extension->Port, extension->ModemControl);
    KeReleaseSpinLock(&extension->ControlLock, irql);
    KeAcquireSpinLock(&extension->RingLock, &irql);
    SeRingClear(&extension->Ring);
    KeReleaseSpinLock(&extension->RingLock, irql);
    return SeComplete(irp, STATUS_SUCCESS, 0);
}

static NTSTATUS SeCleanup(PDEVICE_OBJECT device, PIRP irp)
{
    PSERIAL_EXTENSION extension = device->DeviceExtension;

    SeAbortAll(&extension->Reads, STATUS_CANCELLED);
    SeAbortAll(&extension->Writes, STATUS_CANCELLED);
    SeFinishMask(extension, 0);
    return SeComplete(irp, STATUS_SUCCESS, 0);
}

static NTSTATUS SeQueryInformation(PDEVICE_OBJECT device, PIRP irp)
{
    irp->SystemBuffer[0] = 0;
    return SeComplete(irp, STATUS_SUCCESS, 1);
}

static NTSTATUS SeSystemControl(PDEVICE_OBJECT device, PIRP irp)
{
    return SeSendDown(device->DeviceExtension, irp);
}

static NTSTATUS SeUnexpected(PDEVICE_OBJECT device, PIRP irp)
{
    return SeComplete(irp, STATUS_INVALID_DEVICE_REQUEST, 0);
}

/* Power. */

/* The settings are lost with the power and have to be programmed again. */
static VOID SeRestore(PSERIAL_EXTENSION extension)
{
    KIRQL irql;

    KeAcquireSpinLock(&extension->ControlLock, &irql);
    SeProgramDivisor(extension);
    WRITE_PORT_UCHAR(extension->Port, SeEncodeLine(&extension->LineControl));
    WRITE_PORT_UCHAR(extension->Port, extension->ModemControl);
    extension->ModemStatus = READ_PORT_UCHAR(extension->Port);
    SeApplyFlowControl(extension, extension->FlowControl);
    KeReleaseSpinLock(&extension->ControlLock, irql);
}

static NTSTATUS SePowerUpDone(PDEVICE_OBJECT device, PIRP irp, PVOID context)
{
    PSERIAL_EXTENSION extension = context;

    if (irp->PendingReturned)
        IoMarkIrpPending(irp);
    if (NT_SUCCESS(irp->IoStatus.Status)) {
        extension->PowerState = 1;
        SeRestore(extension);
    }
    return STATUS_SUCCESS;
}

static NTSTATUS SePower(PDEVICE_OBJECT device, PIRP irp)
{
    PSERIAL_EXTENSION extension = device->DeviceExtension;
    PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);

    if (stack->MinorFunction == IRP_MN_QUERY_POWER) {
        if (extension->OpenCount > 0 && stack->Parameters.Power.State > 1)
            return SeComplete(irp, STATUS_DEVICE_BUSY, 0);
        return SeSendDown(extension, irp);
    }
    if (stack->MinorFunction != IRP_MN_SET_POWER || stack->Parameters.Power.Type != 1)
        return SeSendDown(extension, irp);
    if (stack->Parameters.Power.State == 1 && extension->PowerState != 1) {
        IoCopyCurrentIrpStackLocationToNext(irp);
        IoSetCompletionRoutine(irp, SePowerUpDone, extension, TRUE, TRUE, TRUE);
        return IoCallDriver(extension->Lower, irp);
    }
    if (stack->Parameters.Power.State > 1)
        extension->PowerState = stack->Parameters.Power.State;
    return SeSendDown(extension, irp);
}

/* Plug and play. */

static NTSTATUS SeStartDevice(PSERIAL_EXTENSION extension, PIRP irp)
{
    NTSTATUS status = SeSendDownAndWait(extension, irp);

    if (!NT_SUCCESS(status))
        return SeComplete(irp, status, 0);
    if (extension->Interrupt.Connected) {
        extension->PnpState = Started;
        return SeComplete(irp, STATUS_SUCCESS, 0);
    }
    SeDefaults(extension);
    status = IoConnectInterrupt(&extension->Interrupt, SeInterrupt, extension);
    if (NT_SUCCESS(status))
        extension->PnpState = Started;
    return SeComplete(irp, status, 0);
}

static VOID SeShutDown(PSERIAL_EXTENSION extension, NTSTATUS status)
{
    SeAbortAll(&extension->Reads, status);
    SeAbortAll(&extension->Writes, status);
    SeFinishMask(extension, 0);
    if (extension->Interrupt.Connected)
        IoDisconnectInterrupt(&extension->Interrupt);
}

static NTSTATUS SeQueryStop(PSERIAL_EXTENSION extension, PIRP irp, PNP_STATE next)
{
    if (extension->OpenCount > 0 || extension->PnpState != Started)
        return SeComplete(irp, STATUS_DEVICE_BUSY, 0);
    extension->PnpState = next;
    irp->IoStatus.Status = STATUS_SUCCESS;
    return SeSendDown(extension, irp);
}

static NTSTATUS SeCancelStop(PSERIAL_EXTENSION extension, PIRP irp, PNP_STATE pending)
{
    if (extension->PnpState == pending)
        extension->PnpState = Started;
    irp->IoStatus.Status = STATUS_SUCCESS;
    return SeSendDown(extension, irp);
}

static NTSTATUS SeRemoveDevice(PDEVICE_OBJECT device, PIRP irp)
{
    PSERIAL_EXTENSION extension = device->DeviceExtension;
    NTSTATUS status;

    extension->PnpState = Removed;
    SeShutDown(extension, STATUS_NO_SUCH_DEVICE);
    status = SeSendDownAndWait(extension, irp);
    SeDereference(extension);
    KeWaitForSingleObject(&extension->RemoveEvent);
    IoDetachDevice(extension->Lower);
    IoDeleteDevice(device);
    return SeComplete(irp, status, 0);
}

static NTSTATUS SePnp(PDEVICE_OBJECT device, PIRP irp)
{
    PSERIAL_EXTENSION extension = device->DeviceExtension;

    switch (IoGetCurrentIrpStackLocation(irp)->MinorFunction) {
    case IRP_MN_START_DEVICE:
        return SeStartDevice(extension, irp);
    case IRP_MN_QUERY_STOP_DEVICE:
        return SeQueryStop(extension, irp, StopPending);
    case IRP_MN_QUERY_REMOVE_DEVICE:
        return SeQueryStop(extension, irp, RemovePending);
    case IRP_MN_CANCEL_STOP_DEVICE:
        return SeCancelStop(extension, irp, StopPending);
    case IRP_MN_CANCEL_REMOVE_DEVICE:
        return SeCancelStop(extension, irp, RemovePending);
    case IRP_MN_STOP_DEVICE:
        extension->PnpState = Stopped;
        SeShutDown(extension, STATUS_DEVICE_NOT_READY);
        irp->IoStatus.Status = STATUS_SUCCESS;
        return SeSendDown(extension, irp);
    case IRP_MN_SURPRISE_REMOVAL:
        extension->PnpState = SurpriseRemoved;
        SeShutDown(extension, STATUS_NO_SUCH_DEVICE);
        irp->IoStatus.Status = STATUS_SUCCESS;
        return SeSendDown(extension, irp);
    case IRP_MN_REMOVE_DEVICE:
        return SeRemoveDevice(device, irp);
    default:
        return SeSendDown(extension, irp);
    }
}

/* Loading. */

static VOID SeInitialize(PSERIAL_EXTENSION extension)
{
    extension->PnpState = NotStarted;
    extension->PowerState = 1;
    extension->Outstanding = 1;
    extension->OpenCount = 0;
    extension->Port = NULL;
    extension->Interrupt.Connected = FALSE;
    extension->ModemStatus = 0;
    extension->LineErrors = 0;
    extension->SenderStopped = FALSE;
    extension->ReadDone = 0;
    extension->WriteDone = 0;
    extension->ReadInInterrupt = FALSE;
    extension->WriteInInterrupt = FALSE;
    extension->WaitMask = 0;
    extension->EventHistory = 0;
    extension->MaskRequest = NULL;
    KeInitializeEvent(&extension->RemoveEvent, 0, FALSE);
    KeInitializeSpinLock(&extension->ControlLock);
    KeInitializeSpinLock(&extension->RingLock);
    SeRingResize(&extension->Ring, RING_SIZE);
    SeClearStatistics(extension);
    SeInitializeQueue(extension, &extension->Reads, SeCancelCurrent, SeTimeoutDpc, SeCompleteDpc);
    SeInitializeQueue(extension, &extension->Writes, SeCancelCurrent, SeTimeoutDpc, SeCompleteDpc);
    KeInitializeDpc(&extension->EventDpc, SeEventDpc, extension);
    SeDefaults(extension);
}

static NTSTATUS SeAddDevice(PDRIVER_OBJECT driver, PDEVICE_OBJECT physical)
{
    PDEVICE_OBJECT device;
    PSERIAL_EXTENSION extension;
    NTSTATUS status = IoCreateDevice(driver, sizeof(SERIAL_EXTENSION), &device);

    if (!NT_SUCCESS(status))
        return status;
    extension = device->DeviceExtension;
    extension->Self = device;
    extension->Lower = IoAttachDeviceToDeviceStack(device, physical);
    if (extension->Lower == NULL) {
        IoDeleteDevice(device);
        return STATUS_NO_SUCH_DEVICE;
    }
    SeInitialize(extension);
    return STATUS_SUCCESS;
}

static NTSTATUS SeDriverEntry(PDRIVER_OBJECT driver)
{
    int i;
    for (i = 0; i < IRP_MJ_COUNT; i++)
        driver->MajorFunction[i] = SeUnexpected;
    driver->MajorFunction[IRP_MJ_CREATE] = SeCreate;
    driver->MajorFunction[IRP_MJ_CLOSE] = SeClose;
    driver->MajorFunction[IRP_MJ_CLEANUP] = SeCleanup;
    driver->MajorFunction[IRP_MJ_READ] = SeRead;
    driver->MajorFunction[IRP_MJ_WRITE] = SeWrite;
    driver->MajorFunction[IRP_MJ_FLUSH_BUFFERS] = SeFlush;
    driver->MajorFunction[IRP_MJ_QUERY_INFORMATION] = SeQueryInformation;
    driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = SeDeviceControl;
    driver->MajorFunction[IRP_MJ_POWER] = SePower;
    driver->MajorFunction[IRP_MJ_PNP] = SePnp;
    driver->MajorFunction[IRP_MJ_SYSTEM_CONTROL] = SeSystemControl;
    driver->AddDevice = SeAddDevice;
    return STATUS_SUCCESS;
}

/* The harness: every routine by name. */

static NTSTATUS RunDispatch(PDEVICE_OBJECT device, PIRP irp)
{
    switch (IoGetCurrentIrpStackLocation(irp)->MajorFunction) {
    case IRP_MJ_CREATE:
        return SeCreate(device, irp);
    case IRP_MJ_CLOSE:
        return SeClose(device, irp);
    case IRP_MJ_CLEANUP:
        return SeCleanup(device, irp);
    case IRP_MJ_READ:
        return SeRead(device, irp);
    case IRP_MJ_WRITE:
        return SeWrite(device, irp);
    case IRP_MJ_FLUSH_BUFFERS:
        return SeFlush(device, irp);
    case IRP_MJ_QUERY_INFORMATION:
        return SeQueryInformation(device, irp);
    case IRP_MJ_DEVICE_CONTROL:
        return SeDeviceControl(device, irp);
    case IRP_MJ_POWER:
        return SePower(device, irp);
    case IRP_MJ_PNP:
        return SePnp(device, irp);
    case IRP_MJ_SYSTEM_CONTROL:
        return SeSystemControl(device, irp);
    default:
        return SeUnexpected(device, irp);
    }
}

static VOID RunCancel(PDEVICE_OBJECT device, PIRP irp)
{
    PDRIVER_CANCEL routine;

    IoAcquireCancelSpinLock(&irp->CancelIrql);
    irp->Cancel = TRUE;
    routine = IoSetCancelRoutine(irp, NULL);
    if (routine == SeCancelQueued)
        SeCancelQueued(device, irp);
    else if (routine == SeCancelCurrent)
        SeCancelCurrent(device, irp);
    else if (routine == SeCancelMask)
        SeCancelMask(device, irp);
    else
        IoReleaseCancelSpinLock(irp->CancelIrql);
}

static VOID RunDpc(PDEVICE_OBJECT device)
{
    PSERIAL_EXTENSION extension = device->DeviceExtension;

    switch (__VERIFIER_nondet_uchar() % 5) {
    case 0:
        SeTimeoutDpc(&extension->Reads.TimeoutDpc, &extension->Reads, NULL, NULL);
        break;
    case 1:
        SeTimeoutDpc(&extension->Writes.TimeoutDpc, &extension->Writes, NULL, NULL);
        break;
    case 2:
        SeCompleteDpc(&extension->Reads.CompleteDpc, &extension->Reads, NULL, NULL);
        break;
    case 3:
        SeCompleteDpc(&extension->Writes.CompleteDpc, &extension->Writes, NULL, NULL);
        break;
    default:
        SeEventDpc(&extension->EventDpc, extension, NULL, NULL);
        break;
    }
}

static VOID RunCompletion(PDEVICE_OBJECT device, PIRP irp)
{
    if (__VERIFIER_nondet_bool())
        SeSyncDone(device, irp, &ModelEvent);
    else
        SePowerUpDone(device, irp, device->DeviceExtension);
}

static VOID RunInterrupt(PDEVICE_OBJECT device)
{
    PSERIAL_EXTENSION extension = device->DeviceExtension;

    if (extension->Interrupt.Connected)
        SeInterrupt(extension);
}

int main(void)
{
    static DRIVER_OBJECT driver;
    static DEVICE_OBJECT physical;

    if (NT_SUCCESS(SeDriverEntry(&driver)) && NT_SUCCESS(SeAddDevice(&driver, &physical)))
        RunDevice(driver.DeviceObject);
    return 0;
}
