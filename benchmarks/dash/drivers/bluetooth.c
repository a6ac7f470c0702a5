/*
 * A transport driver for a Bluetooth radio: commands go to the radio one at a time, events come back to whoever reads,
 * data goes through the lower driver. Requests in flight are counted; a device is removed when the count falls to zero.
 *
 * Two ways to keep a queue safe from cancellation live side by side: event reads are guarded by the driver's own lock,
 * commands by the system's cancel lock.
 */
#include "model.h"

#define MAX_LINKS 4
#define EVENT_SIZE 16

#define BT_IOCTL_GET_VERSION 1
#define BT_IOCTL_GET_LINKS 2
#define BT_IOCTL_SET_CREDITS 3
#define BT_IOCTL_SEND_COMMAND 4
#define BT_IOCTL_RESET 5
#define BT_IOCTL_DISCONNECT 6
#define BT_IOCTL_GET_STATISTICS 7

#define EVENT_COMMAND_COMPLETE 0x0e
#define EVENT_LINK_UP 0x03
#define EVENT_LINK_DOWN 0x05
#define EVENT_CREDITS 0x13

typedef enum { LinkFree, LinkOpening, LinkOpen, LinkClosing } LINK_STATE;
typedef enum { NotStarted, Started, StopPending, RemovePending, SurpriseRemoved, Removed } PNP_STATE;

typedef struct _BT_LINK {
    LINK_STATE State;
    UCHAR Handle;
    UCHAR Credits;
    ULONG BytesSent;
} BT_LINK, *PBT_LINK;

typedef struct _BT_EXTENSION {
    PDEVICE_OBJECT Self;
    PDEVICE_OBJECT Lower;
    PNP_STATE PnpState;
    LONG PendingIo;
    BOOLEAN Stopping;
    KEVENT StopEvent;
    ULONG OpenCount;

    KSPIN_LOCK ReadLock;
    LIST_ENTRY ReadQueue;
    UCHAR Event[EVENT_SIZE];
    ULONG EventLength;
    ULONG EventsLost;

    LIST_ENTRY CommandQueue;
    PIRP CurrentCommand;
    UCHAR CommandCredits;
    ULONG CommandTimeouts;

    KSPIN_LOCK LinkLock;
    BT_LINK Links[MAX_LINKS];
    ULONG OpenLinks;

    KINTERRUPT Interrupt;
    KDPC EventDpc;
    KDPC TimeoutDpc;
    KTIMER CommandTimer;
} BT_EXTENSION, *PBT_EXTENSION;

/* Counting requests. */

static VOID BtReleaseIo(PBT_EXTENSION extension)
{
    if (InterlockedDecrement(&extension->PendingIo) == 0)
        KeSetEvent(&extension->StopEvent, IO_NO_INCREMENT, FALSE);
}

static NTSTATUS BtAcquireIo(PBT_EXTENSION extension)
{
    InterlockedIncrement(&extension->PendingIo);
    if (extension->Stopping) {
        BtReleaseIo(extension);
        return STATUS_DELETE_PENDING;
    }
    return STATUS_SUCCESS;
}

static NTSTATUS BtComplete(PBT_EXTENSION extension, PIRP irp, NTSTATUS status, ULONG information)
{
    irp->IoStatus.Status = status;
    irp->IoStatus.Information = information;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    BtReleaseIo(extension);
    return status;
}

static NTSTATUS BtRefuse(PIRP irp, NTSTATUS status)
{
    irp->IoStatus.Status = status;
    irp->IoStatus.Information = 0;
    IoCompleteRequest(irp, IO_NO_INCREMENT);
    return status;
}

static NTSTATUS BtPassDown(PBT_EXTENSION extension, PIRP irp)
{
    IoSkipCurrentIrpStackLocation(irp);
    return IoCallDriver(extension->Lower, irp);
}

/* Links. */

static PBT_LINK BtFindLink(PBT_EXTENSION extension, UCHAR handle)
{
    int i;
    for (i = 0; i < MAX_LINKS; i++) {
        if (extension->Links[i].State != LinkFree && extension->Links[i].Handle == handle)
            return &extension->Links[i];
    }
    return NULL;
}

static NTSTATUS BtOpenLink(PBT_EXTENSION extension, UCHAR handle, UCHAR credits)
{
    KIRQL irql;
    int i;
    NTSTATUS status = STATUS_INSUFFICIENT_RESOURCES;

    KeAcquireSpinLock(&extension->LinkLock, &irql);
    if (BtFindLink(extension, handle) != NULL) {
        KeReleaseSpinLock(&extension->LinkLock, irql);
        return STATUS_DEVICE_BUSY;
    }
    for (i = 0; i < MAX_LINKS; i++) {
        PBT_LINK link = &extension->Links[i];
        if (link->State == LinkFree) {
            link->State = LinkOpen;
            link->Handle = handle;
            link->Credits = credits;
            link->BytesSent = 0;
            extension->OpenLinks++;
            status = STATUS_SUCCESS;
            break;
        }
    }
    KeReleaseSpinLock(&extension->LinkLock, irql);
    return status;
}

static NTSTATUS BtCloseLink(PBT_EXTENSION extension, UCHAR handle)
{
    KIRQL irql;
    PBT_LINK link;
    NTSTATUS status = STATUS_SUCCESS;

    KeAcquireSpinLock(&extension->LinkLock, &irql);
    link = BtFindLink(extension, handle);
    if (link == NULL) {
        status = STATUS_NO_SUCH_DEVICE;
    } else {
        link->State = LinkFree;
        extension->OpenLinks--;
    }
    KeReleaseSpinLock(&extension->LinkLock, irql);
    return status;
}

/* Data may be sent while the link has credits; each packet costs one. */
static NTSTATUS BtTakeCredit(PBT_EXTENSION extension, UCHAR handle, ULONG length)
{
    KIRQL irql;
    PBT_LINK link;

    KeAcquireSpinLock(&extension->LinkLock, &irql);
    link = BtFindLink(extension, handle);
    if (link == NULL || link->State != LinkOpen) {
        KeReleaseSpinLock(&extension->LinkLock, irql);
        return STATUS_NO_SUCH_DEVICE;
    }
    if (link->Credits == 0) {
        KeReleaseSpinLock(&extension->LinkLock, irql);
        return STATUS_DEVICE_BUSY;
    }
    link->Credits--;
    link->BytesSent += length;
    KeReleaseSpinLock(&extension->LinkLock, irql);
    return STATUS_SUCCESS;
}

static VOID BtReturnCredits(PBT_EXTENSION extension, UCHAR handle, UCHAR credits)
{
    PBT_LINK link;
    KeAcquireSpinLockAtDpcLevel(&extension->LinkLock);
    link = BtFindLink(extension, handle);
    if (link != NULL && link->State == LinkOpen)
        link->Credits += credits;
    KeReleaseSpinLockFromDpcLevel(&extension->LinkLock);
}

/* Commands: one at the radio, the others queued under the cancel lock. */

static VOID BtCancelCommand(PDEVICE_OBJECT device, PIRP irp)
{
    PBT_EXTENSION extension = device->DeviceExtension;
    RemoveEntryList(&irp->ListEntry);
    IoReleaseCancelSpinLock(irp->CancelIrql);
    BtComplete(extension, irp, STATUS_CANCELLED, 0);
}

static VOID BtStartCommand(PBT_EXTENSION extension, PIRP irp)
{
    WRITE_PORT_UCHAR((PUCHAR)0, irp->SystemBuffer[0]);
    WRITE_PORT_UCHAR((PUCHAR)0, irp->SystemBuffer[1]);
    KeSetTimer(&extension->CommandTimer, -10, &extension->TimeoutDpc);
}

static NTSTATUS BtSendCommand(PBT_EXTENSION extension, PIRP irp)
{
    KIRQL irql;

    IoAcquireCancelSpinLock(&irql);
    if (irp->Cancel) {
        IoReleaseCancelSpinLock(irql);
        return BtComplete(extension, irp, STATUS_CANCELLED, 0);
    }
    IoMarkIrpPending(irp);
    if (extension->CurrentCommand == NULL && extension->CommandCredits > 0) {
        extension->CurrentCommand = irp;
        extension->CommandCredits--;
        IoReleaseCancelSpinLock(irql);
        BtStartCommand(extension, irp);
        return STATUS_PENDING;
    }
    IoSetCancelRoutine(irp, BtCancelCommand);
    InsertTailList(&extension->CommandQueue, &irp->ListEntry);
    IoReleaseCancelSpinLock(irql);
    return STATUS_PENDING;
}

/* Take the next command off the queue, if the radio accepts one more. */
static VOID BtNextCommand(PBT_EXTENSION extension)
{
    KIRQL irql;
    PIRP next = NULL;

    IoAcquireCancelSpinLock(&irql);
    if (extension->CurrentCommand == NULL && extension->CommandCredits > 0 && !IsListEmpty(&extension->CommandQueue)) {
        next = CONTAINING_RECORD(RemoveHeadList(&extension->CommandQueue), IRP, ListEntry);
        IoSetCancelRoutine(next, NULL);
        extension->CurrentCommand = next;
        extension->CommandCredits--;
    }
    IoReleaseCancelSpinLock(irql);
    if (next != NULL)
        BtStartCommand(extension, next);
}

static VOID BtFinishCommand(PBT_EXTENSION extension, NTSTATUS status, ULONG information)
{
    PIRP irp;
    KIRQL irql;

    IoAcquireCancelSpinLock(&irql);
    irp = extension->CurrentCommand;
    extension->CurrentCommand = NULL;
    IoReleaseCancelSpinLock(irql);
    if (irp != NULL) {
        KeCancelTimer(&extension->CommandTimer);
        BtComplete(extension, irp, status, information);
    }
    BtNextCommand(extension);
}

static VOID BtDrainCommands(PBT_EXTENSION extension)
{
    KIRQL irql;

    IoAcquireCancelSpinLock(&irql);
    while (!IsListEmpty(&extension->CommandQueue)) {
        PIRP irp = CONTAINING_RECORD(RemoveHeadList(&extension->CommandQueue), IRP, ListEntry);
        IoSetCancelRoutine(irp, NULL);
        IoReleaseCancelSpinLock(irql);
        BtComplete(extension, irp, STATUS_CANCELLED, 0);
        IoAcquireCancelSpinLock(&irql);
    }
    IoReleaseCancelSpinLock(irql);
}

static VOID BtTimeoutDpc(PKDPC dpc, PVOID context, PVOID argument1, PVOID argument2)
{
    PBT_EXTENSION extension = context;
    extension->CommandTimeouts++;
    extension->CommandCredits = 1;
    BtFinishCommand(extension, STATUS_TIMEOUT, 0);
}

/* Events: reads wait in a queue under the driver's own lock. */

static VOID BtCancelRead(PDEVICE_OBJECT device, PIRP irp)
{
    PBT_EXTENSION extension = device->DeviceExtension;
    KIRQL irql;

#ifndef BUG_CANCEL_SPIN_LOCK
    IoReleaseCancelSpinLock(irp->CancelIrql);
#endif
    KeAcquireSpinLock(&extension->ReadLock, &irql);
    RemoveEntryList(&irp->ListEntry);
    KeReleaseSpinLock(&extension->ReadLock, irql);
    BtComplete(extension, irp, STATUS_CANCELLED, 0);
}

static ULONG BtCopyEvent(PBT_EXTENSION extension, PIRP irp)
{
    ULONG room = IoGetCurrentIrpStackLocation(irp)->Parameters.Read.Length;
    ULONG length = extension->EventLength;
    ULONG i;

    if (room > SYSTEM_BUFFER_SIZE)
        room = SYSTEM_BUFFER_SIZE;
    if (length > room)
        length = room;
    for (i = 0; i < length; i++)
        irp->SystemBuffer[i] = extension->Event[i];
    extension->EventLength = 0;
    return length;
}

static NTSTATUS BtQueueRead(PBT_EXTENSION extension, PIRP irp)
{
    KIRQL irql;

    KeAcquireSpinLock(&extension->ReadLock, &irql);
    IoSetCancelRoutine(irp, BtCancelRead);
    if (irp->Cancel) {
        PDRIVER_CANCEL old = IoSetCancelRoutine(irp, NULL);
        if (old != NULL) {
#ifndef BUG_SPIN_LOCK
            KeReleaseSpinLock(&extension->ReadLock, irql);
#endif
            return BtComplete(extension, irp, STATUS_CANCELLED, 0);
        }
    }
    IoMarkIrpPending(irp);
    InsertTailList(&extension->ReadQueue, &irp->ListEntry);
    KeReleaseSpinLock(&extension->ReadLock, irql);
    return STATUS_PENDING;
}

/* The first waiting read that nobody is cancelling. The lock is held. */
static PIRP BtDequeueRead(PBT_EXTENSION extension)
{
    while (!IsListEmpty(&extension->ReadQueue)) {
        PIRP irp = CONTAINING_RECORD(RemoveHeadList(&extension->ReadQueue), IRP, ListEntry);
        if (IoSetCancelRoutine(irp, NULL) != NULL)
            return irp;
        InitializeListHead(&irp->ListEntry);
    }
    return NULL;
}

static VOID BtDeliverEvent(PBT_EXTENSION extension)
{
    PIRP irp;
    ULONG length;

    KeAcquireSpinLockAtDpcLevel(&extension->ReadLock);
    if (extension->EventLength == 0) {
        KeReleaseSpinLockFromDpcLevel(&extension->ReadLock);
        return;
    }
    irp = BtDequeueRead(extension);
    if (irp == NULL) {
        extension->EventsLost++;
        extension->EventLength = 0;
        KeReleaseSpinLockFromDpcLevel(&extension->ReadLock);
        return;
    }
    length = BtCopyEvent(extension, irp);
    KeReleaseSpinLockFromDpcLevel(&extension->ReadLock);
    BtComplete(extension, irp, STATUS_SUCCESS, length);
}

static VOID BtDrainReads(PBT_EXTENSION extension)
{
    KIRQL irql;
    PIRP irp;

    KeAcquireSpinLock(&extension->ReadLock, &irql);
    while ((irp = BtDequeueRead(extension)) != NULL) {
        KeReleaseSpinLock(&extension->ReadLock, irql);
        BtComplete(extension, irp, STATUS_CANCELLED, 0);
        KeAcquireSpinLock(&extension->ReadLock, &irql);
    }
    KeReleaseSpinLock(&extension->ReadLock, irql);
}

static BOOLEAN BtInterrupt(PVOID context)
{
    PBT_EXTENSION extension = context;
    UCHAR i;

    if (extension->EventDpc.Queued)
        return FALSE;
    for (i = 0; i < 4; i++)
        extension->Event[i] = READ_PORT_UCHAR((PUCHAR)0);
    extension->EventLength = 4;
    return KeInsertQueueDpc(&extension->EventDpc, NULL, NULL);
}

static VOID BtEventDpc(PKDPC dpc, PVOID context, PVOID argument1, PVOID argument2)
{
    PBT_EXTENSION extension = context;
    UCHAR code = extension->Event[0];
    UCHAR handle = extension->Event[1];
    UCHAR value = extension->Event[2];

    switch (code) {
    case EVENT_COMMAND_COMPLETE:
        extension->CommandCredits = value;
        BtFinishCommand(extension, STATUS_SUCCESS, 1);
        return;
    case EVENT_LINK_UP:
        BtOpenLink(extension, handle, value);
        break;
    case EVENT_LINK_DOWN:
        BtCloseLink(extension, handle);
        break;
    case EVENT_CREDITS:
        BtReturnCredits(extension, handle, value);
        return;
    default:
        break;
    }
    BtDeliverEvent(extension);
}

/* Dispatch routines. */

static NTSTATUS BtCreate(PDEVICE_OBJECT device, PIRP irp)
{
    PBT_EXTENSION extension = device->DeviceExtension;
    if (extension->PnpState != Started)
        return BtRefuse(irp, STATUS_DEVICE_NOT_READY);
    extension->OpenCount++;
    return BtRefuse(irp, STATUS_SUCCESS);
}

static NTSTATUS BtClose(PDEVICE_OBJECT device, PIRP irp)
{
    PBT_EXTENSION extension = device->DeviceExtension;
    if (extension->OpenCount > 0)
        extension->OpenCount--;
    return BtRefuse(irp, STATUS_SUCCESS);
}

static NTSTATUS BtCleanup(PDEVICE_OBJECT device, PIRP irp)
{
    PBT_EXTENSION extension = device->DeviceExtension;
    BtDrainReads(extension);
    BtDrainCommands(extension);
    return BtRefuse(irp, STATUS_SUCCESS);
}

static NTSTATUS BtRead(PDEVICE_OBJECT device, PIRP irp)
{
    PBT_EXTENSION extension = device->DeviceExtension;
    NTSTATUS status = BtAcquireIo(extension);

    if (!NT_SUCCESS(status))
        return BtRefuse(irp, status);
    if (extension->PnpState != Started)
        return BtComplete(extension, irp, STATUS_DEVICE_NOT_READY, 0);
    if (IoGetCurrentIrpStackLocation(irp)->Parameters.Read.Length == 0)
        return BtComplete(extension, irp, STATUS_SUCCESS, 0);
    return BtQueueRead(extension, irp);
}

static NTSTATUS BtWriteDone(PDEVICE_OBJECT device, PIRP irp, PVOID context)
{
    PBT_EXTENSION extension = context;
    if (irp->PendingReturned)
        IoMarkIrpPending(irp);
    BtReleaseIo(extension);
    return STATUS_SUCCESS;
}

static NTSTATUS BtWrite(PDEVICE_OBJECT device, PIRP irp)
{
    PBT_EXTENSION extension = device->DeviceExtension;
    PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);
    NTSTATUS status = BtAcquireIo(extension);

    if (!NT_SUCCESS(status))
        return BtRefuse(irp, status);
    if (stack->Parameters.Write.Length > 1021)
        return BtComplete(extension, irp, STATUS_INVALID_PARAMETER, 0);
    status = BtTakeCredit(extension, (UCHAR)stack->Parameters.Write.Offset, stack->Parameters.Write.Length);
    if (!NT_SUCCESS(status))
        return BtComplete(extension, irp, status, 0);
    IoCopyCurrentIrpStackLocationToNext(irp);
    IoSetCompletionRoutine(irp, BtWriteDone, extension, TRUE, TRUE, TRUE);
    return IoCallDriver(extension->Lower, irp);
}

static NTSTATUS BtGetLinks(PBT_EXTENSION extension, PIRP irp, ULONG room)
{
    KIRQL irql;
    ULONG used = 0;
    int i;

    KeAcquireSpinLock(&extension->LinkLock, &irql);
    for (i = 0; i < MAX_LINKS; i++) {
        if (extension->Links[i].State == LinkFree)
            continue;
        if (used >= room) {
            KeReleaseSpinLock(&extension->LinkLock, irql);
            return BtComplete(extension, irp, STATUS_BUFFER_OVERFLOW, used);
        }
        irp->SystemBuffer[used++] = extension->Links[i].Handle;
    }
    KeReleaseSpinLock(&extension->LinkLock, irql);
    return BtComplete(extension, irp, STATUS_SUCCESS, used);
}

static NTSTATUS BtSetCredits(PBT_EXTENSION extension, PIRP irp, ULONG given)
{
    KIRQL irql;
    PBT_LINK link;
    NTSTATUS status = STATUS_SUCCESS;

    if (given < 2)
        return BtComplete(extension, irp, STATUS_INVALID_PARAMETER, 0);
    KeAcquireSpinLock(&extension->LinkLock, &irql);
    link = BtFindLink(extension, irp->SystemBuffer[0]);
    if (link != NULL)
        link->Credits = irp->SystemBuffer[1];
    else
        status = STATUS_NO_SUCH_DEVICE;
    KeReleaseSpinLock(&extension->LinkLock, irql);
    return BtComplete(extension, irp, status, 0);
}

static NTSTATUS BtReset(PBT_EXTENSION extension, PIRP irp)
{
    KIRQL irql;
    int i;

    BtDrainCommands(extension);
    KeAcquireSpinLock(&extension->LinkLock, &irql);
    for (i = 0; i < MAX_LINKS; i++)
        extension->Links[i].State = LinkFree;
    extension->OpenLinks = 0;
    KeReleaseSpinLock(&extension->LinkLock, irql);
    return BtComplete(extension, irp, STATUS_SUCCESS, 0);
}

static NTSTATUS BtDeviceControl(PDEVICE_OBJECT device, PIRP irp)
{
    PBT_EXTENSION extension = device->DeviceExtension;
    PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);
    ULONG given = stack->Parameters.DeviceIoControl.InputBufferLength;
    ULONG room = stack->Parameters.DeviceIoControl.OutputBufferLength;
    NTSTATUS status = BtAcquireIo(extension);

    if (!NT_SUCCESS(status))
        return BtRefuse(irp, status);
    if (extension->PnpState != Started)
        return BtComplete(extension, irp, STATUS_DEVICE_NOT_READY, 0);
    switch (stack->Parameters.DeviceIoControl.IoControlCode) {
    case BT_IOCTL_GET_VERSION:
        if (room < 1)
            return BtComplete(extension, irp, STATUS_BUFFER_TOO_SMALL, 0);
        irp->SystemBuffer[0] = 4;
        return BtComplete(extension, irp, STATUS_SUCCESS, 1);
    case BT_IOCTL_GET_LINKS:
        return BtGetLinks(extension, irp, room);
    case BT_IOCTL_SET_CREDITS:
        return BtSetCredits(extension, irp, given);
    case BT_IOCTL_SEND_COMMAND:
        if (given < 2)
            return BtComplete(extension, irp, STATUS_INVALID_PARAMETER, 0);
        return BtSendCommand(extension, irp);
    case BT_IOCTL_RESET:
        return BtReset(extension, irp);
    case BT_IOCTL_DISCONNECT:
        if (given < 1)
            return BtComplete(extension, irp, STATUS_INVALID_PARAMETER, 0);
        status = BtCloseLink(extension, irp->SystemBuffer[0]);
        return BtComplete(extension, irp, status, 0);
    case BT_IOCTL_GET_STATISTICS:
        if (room < 2)
            return BtComplete(extension, irp, STATUS_BUFFER_TOO_SMALL, 0);
        irp->SystemBuffer[0] = (UCHAR)extension->EventsLost;
        irp->SystemBuffer[1] = (UCHAR)extension->CommandTimeouts;
        return BtComplete(extension, irp, STATUS_SUCCESS, 2);
    default:
        return BtComplete(extension, irp, STATUS_INVALID_DEVICE_REQUEST, 0);
    }
}

static NTSTATUS BtPower(PDEVICE_OBJECT device, PIRP irp)
{
    PBT_EXTENSION extension = device->DeviceExtension;
    PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);

    if (stack->MinorFunction == IRP_MN_QUERY_POWER && extension->CurrentCommand != NULL)
        return BtRefuse(irp, STATUS_DEVICE_BUSY);
    if (stack->MinorFunction == IRP_MN_SET_POWER && stack->Parameters.Power.State > 1)
        BtDrainCommands(extension);
    return BtPassDown(extension, irp);
}

static NTSTATUS BtSystemControl(PDEVICE_OBJECT device, PIRP irp)
{
    return BtPassDown(device->DeviceExtension, irp);
}

/* Plug and play. */

static NTSTATUS BtSyncDone(PDEVICE_OBJECT device, PIRP irp, PVOID context)
{
    KeSetEvent(context, IO_NO_INCREMENT, FALSE);
    return STATUS_MORE_PROCESSING_REQUIRED;
}

static NTSTATUS BtPassDownAndWait(PBT_EXTENSION extension, PIRP irp)
{
    KEVENT done;
    NTSTATUS status;

    KeInitializeEvent(&done, 0, FALSE);
    IoCopyCurrentIrpStackLocationToNext(irp);
    IoSetCompletionRoutine(irp, BtSyncDone, &done, TRUE, TRUE, TRUE);
    status = IoCallDriver(extension->Lower, irp);
    if (status == STATUS_PENDING) {
        KeWaitForSingleObject(&done);
        status = irp->IoStatus.Status;
    }
    return status;
}

static NTSTATUS BtStart(PBT_EXTENSION extension, PIRP irp)
{
    NTSTATUS status = BtPassDownAndWait(extension, irp);
    if (NT_SUCCESS(status) && extension->PnpState == NotStarted) {
        status = IoConnectInterrupt(&extension->Interrupt, BtInterrupt, extension);
        if (NT_SUCCESS(status)) {
            extension->CommandCredits = 1;
            extension->PnpState = Started;
        }
    }
    return BtRefuse(irp, status);
}

static VOID BtStopIo(PBT_EXTENSION extension)
{
    extension->Stopping = TRUE;
    BtDrainReads(extension);
    BtDrainCommands(extension);
    BtFinishCommand(extension, STATUS_CANCELLED, 0);
    BtReleaseIo(extension);
    KeWaitForSingleObject(&extension->StopEvent);
}

static NTSTATUS BtRemove(PDEVICE_OBJECT device, PIRP irp)
{
    PBT_EXTENSION extension = device->DeviceExtension;
    NTSTATUS status;

    if (!extension->Stopping)
        BtStopIo(extension);
    if (extension->Interrupt.Connected)
        IoDisconnectInterrupt(&extension->Interrupt);
    extension->PnpState = Removed;
    irp->IoStatus.Status = STATUS_SUCCESS;
    status = BtPassDown(extension, irp);
    IoDetachDevice(extension->Lower);
    IoDeleteDevice(device);
    return status;
}

static NTSTATUS BtPnp(PDEVICE_OBJECT device, PIRP irp)
{
    PBT_EXTENSION extension = device->DeviceExtension;

    switch (IoGetCurrentIrpStackLocation(irp)->MinorFunction) {
    case IRP_MN_START_DEVICE:
        return BtStart(extension, irp);
    case IRP_MN_QUERY_REMOVE_DEVICE:
        if (extension->OpenCount > 0 || extension->PnpState != Started)
            return BtRefuse(irp, STATUS_DEVICE_BUSY);
        extension->PnpState = RemovePending;
        break;
    case IRP_MN_CANCEL_REMOVE_DEVICE:
        if (extension->PnpState == RemovePending)
            extension->PnpState = Started;
        break;
    case IRP_MN_SURPRISE_REMOVAL:
        if (!extension->Stopping)
            BtStopIo(extension);
        extension->PnpState = SurpriseRemoved;
        break;
    case IRP_MN_REMOVE_DEVICE:
        return BtRemove(device, irp);
    default:
        return BtPassDown(extension, irp);
    }
    irp->IoStatus.Status = STATUS_SUCCESS;
    return BtPassDown(extension, irp);
}

static NTSTATUS BtUnexpected(PDEVICE_OBJECT device, PIRP irp)
{
    return BtRefuse(irp, STATUS_INVALID_DEVICE_REQUEST);
}

static NTSTATUS BtAddDevice(PDRIVER_OBJECT driver, PDEVICE_OBJECT physical)
{
    PDEVICE_OBJECT device;
    PBT_EXTENSION extension;
    NTSTATUS status = IoCreateDevice(driver, sizeof(BT_EXTENSION), &device);
    int i;

    if (!NT_SUCCESS(status))
        return status;
    extension = device->DeviceExtension;
    extension->Self = device;
    extension->Lower = IoAttachDeviceToDeviceStack(device, physical);
    if (extension->Lower == NULL) {
        IoDeleteDevice(device);
        return STATUS_NO_SUCH_DEVICE;
    }
    extension->PnpState = NotStarted;
    extension->PendingIo = 1;
    extension->Stopping = FALSE;
    extension->OpenCount = 0;
    extension->EventLength = 0;
    extension->EventsLost = 0;
    extension->CurrentCommand = NULL;
    extension->CommandCredits = 0;
    extension->CommandTimeouts = 0;
    extension->OpenLinks = 0;
    extension->Interrupt.Connected = FALSE;
    for (i = 0; i < MAX_LINKS; i++)
        extension->Links[i].State = LinkFree;
    KeInitializeEvent(&extension->StopEvent, 0, FALSE);
    KeInitializeSpinLock(&extension->ReadLock);
    KeInitializeSpinLock(&extension->LinkLock);
    InitializeListHead(&extension->ReadQueue);
    InitializeListHead(&extension->CommandQueue);
    KeInitializeDpc(&extension->EventDpc, BtEventDpc, extension);
    KeInitializeDpc(&extension->TimeoutDpc, BtTimeoutDpc, extension);
    KeInitializeTimer(&extension->CommandTimer);
    return STATUS_SUCCESS;
}

static NTSTATUS BtDriverEntry(PDRIVER_OBJECT driver)
{
    int i;
    for (i = 0; i < IRP_MJ_COUNT; i++)
        driver->MajorFunction[i] = BtUnexpected;
    driver->MajorFunction[IRP_MJ_CREATE] = BtCreate;
    driver->MajorFunction[IRP_MJ_CLOSE] = BtClose;
    driver->MajorFunction[IRP_MJ_CLEANUP] = BtCleanup;
    driver->MajorFunction[IRP_MJ_READ] = BtRead;
    driver->MajorFunction[IRP_MJ_WRITE] = BtWrite;
    driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = BtDeviceControl;
    driver->MajorFunction[IRP_MJ_POWER] = BtPower;
    driver->MajorFunction[IRP_MJ_SYSTEM_CONTROL] = BtSystemControl;
    driver->MajorFunction[IRP_MJ_PNP] = BtPnp;
    driver->AddDevice = BtAddDevice;
    return STATUS_SUCCESS;
}

/* The harness: every routine by name. */

static NTSTATUS RunDispatch(PDEVICE_OBJECT device, PIRP irp)
{
    switch (IoGetCurrentIrpStackLocation(irp)->MajorFunction) {
    case IRP_MJ_CREATE:
        return BtCreate(device, irp);
    case IRP_MJ_CLOSE:
        return BtClose(device, irp);
    case IRP_MJ_CLEANUP:
        return BtCleanup(device, irp);
    case IRP_MJ_READ:
        return BtRead(device, irp);
    case IRP_MJ_WRITE:
        return BtWrite(device, irp);
    case IRP_MJ_DEVICE_CONTROL:
        return BtDeviceControl(device, irp);
    case IRP_MJ_POWER:
        return BtPower(device, irp);
    case IRP_MJ_SYSTEM_CONTROL:
        return BtSystemControl(device, irp);
    case IRP_MJ_PNP:
        return BtPnp(device, irp);
    default:
        return BtUnexpected(device, irp);
    }
}

static VOID RunCancel(PDEVICE_OBJECT device, PIRP irp)
{
    PDRIVER_CANCEL routine;

    IoAcquireCancelSpinLock(&irp->CancelIrql);
    irp->Cancel = TRUE;
    routine = IoSetCancelRoutine(irp, NULL);
    if (routine == BtCancelRead)
        BtCancelRead(device, irp);
    else if (routine == BtCancelCommand)
        BtCancelCommand(device, irp);
    else
        IoReleaseCancelSpinLock(irp->CancelIrql);
}

static VOID RunDpc(PDEVICE_OBJECT device)
{
    PBT_EXTENSION extension = device->DeviceExtension;

    if (__VERIFIER_nondet_bool())
        BtEventDpc(&extension->EventDpc, extension, NULL, NULL);
    else
        BtTimeoutDpc(&extension->TimeoutDpc, extension, NULL, NULL);
}

static VOID RunCompletion(PDEVICE_OBJECT device, PIRP irp)
{
    if (__VERIFIER_nondet_bool())
        BtSyncDone(device, irp, &ModelEvent);
    else
        BtWriteDone(device, irp, device->DeviceExtension);
}

static VOID RunInterrupt(PDEVICE_OBJECT device)
{
    PBT_EXTENSION extension = device->DeviceExtension;

    if (extension->Interrupt.Connected)
        BtInterrupt(extension);
}

int main(void)
{
    static DRIVER_OBJECT driver;
    static DEVICE_OBJECT physical;

    if (NT_SUCCESS(BtDriverEntry(&driver)) && NT_SUCCESS(BtAddDevice(&driver, &physical)))
        RunDevice(driver.DeviceObject);
    return 0;
}
