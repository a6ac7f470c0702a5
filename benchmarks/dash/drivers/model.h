/*
 * A small model of a driver's surroundings, in the manner of Static Driver Verifier: requests and their stack locations,
 * queues, spin locks, events, deferred procedure calls, timers, a lower driver, and a harness that sends a request,
 * cancels it and runs the driver's other routines in any order. Everything is sequential; what the surroundings decide
 * is an input.
 *
 * Two requests stand for all: ModelRequest is the one that is sent and watched, ModelOther is whatever request comes out
 * of a queue. Queues have no contents; whether one is empty is an input. A driver includes this file first and defines
 * the functions named Run... at its end: they call its routines by name.
 */
#ifndef MODEL_H
#define MODEL_H

extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void *malloc(unsigned long size);

typedef void VOID, *PVOID;
typedef char CHAR;
typedef unsigned char UCHAR, *PUCHAR, BOOLEAN, KIRQL, *PKIRQL;
typedef unsigned short USHORT;
typedef unsigned int ULONG, *PULONG;
typedef int LONG, *PLONG, NTSTATUS;
typedef long long LONGLONG;
typedef unsigned long ULONG_PTR, KSPIN_LOCK, *PKSPIN_LOCK;

#define TRUE 1
#define FALSE 0
#define NULL ((void *)0)

#define STATUS_SUCCESS ((NTSTATUS)0x00000000)
#define STATUS_TIMEOUT ((NTSTATUS)0x00000102)
#define STATUS_PENDING ((NTSTATUS)0x00000103)
#define STATUS_BUFFER_OVERFLOW ((NTSTATUS)0x80000005)
#define STATUS_UNSUCCESSFUL ((NTSTATUS)0xC0000001)
#define STATUS_INVALID_PARAMETER ((NTSTATUS)0xC000000D)
#define STATUS_NO_SUCH_DEVICE ((NTSTATUS)0xC000000E)
#define STATUS_INVALID_DEVICE_REQUEST ((NTSTATUS)0xC0000010)
#define STATUS_NO_MEDIA_IN_DEVICE ((NTSTATUS)0xC0000013)
#define STATUS_MORE_PROCESSING_REQUIRED ((NTSTATUS)0xC0000016)
#define STATUS_ACCESS_DENIED ((NTSTATUS)0xC0000022)
#define STATUS_BUFFER_TOO_SMALL ((NTSTATUS)0xC0000023)
#define STATUS_INSUFFICIENT_RESOURCES ((NTSTATUS)0xC000009A)
#define STATUS_MEDIA_WRITE_PROTECTED ((NTSTATUS)0xC00000A2)
#define STATUS_DEVICE_NOT_READY ((NTSTATUS)0xC00000A3)
#define STATUS_NOT_SUPPORTED ((NTSTATUS)0xC00000BB)
#define STATUS_DELETE_PENDING ((NTSTATUS)0xC0000056)
#define STATUS_DEVICE_BUSY ((NTSTATUS)0x80000011)
#define STATUS_VERIFY_REQUIRED ((NTSTATUS)0x80000016)
#define STATUS_IO_DEVICE_ERROR ((NTSTATUS)0xC0000185)
#define STATUS_CANCELLED ((NTSTATUS)0xC0000120)
#define NT_SUCCESS(status) ((NTSTATUS)(status) >= 0)

#define PASSIVE_LEVEL 0
#define DISPATCH_LEVEL 2

#define IRP_MJ_CREATE 0
#define IRP_MJ_CLOSE 1
#define IRP_MJ_READ 2
#define IRP_MJ_WRITE 3
#define IRP_MJ_QUERY_INFORMATION 4
#define IRP_MJ_SET_INFORMATION 5
#define IRP_MJ_FLUSH_BUFFERS 6
#define IRP_MJ_SHUTDOWN 7
#define IRP_MJ_DEVICE_CONTROL 8
#define IRP_MJ_INTERNAL_DEVICE_CONTROL 9
#define IRP_MJ_CLEANUP 10
#define IRP_MJ_POWER 11
#define IRP_MJ_SYSTEM_CONTROL 12
#define IRP_MJ_PNP 13
#define IRP_MJ_COUNT 14

#define IRP_MN_START_DEVICE 0
#define IRP_MN_QUERY_REMOVE_DEVICE 1
#define IRP_MN_REMOVE_DEVICE 2
#define IRP_MN_CANCEL_REMOVE_DEVICE 3
#define IRP_MN_STOP_DEVICE 4
#define IRP_MN_QUERY_STOP_DEVICE 5
#define IRP_MN_CANCEL_STOP_DEVICE 6
#define IRP_MN_QUERY_CAPABILITIES 9
#define IRP_MN_DEVICE_USAGE_NOTIFICATION 22
#define IRP_MN_SURPRISE_REMOVAL 23

#define IRP_MN_SET_POWER 2
#define IRP_MN_QUERY_POWER 3

#define SL_PENDING_RETURNED 1
#define SL_INVOKE_ON_SUCCESS 64
#define SL_INVOKE_ON_ERROR 128

#define IO_NO_INCREMENT 0
#define IO_DISK_INCREMENT 1
#define IO_SERIAL_INCREMENT 2

typedef struct _LIST_ENTRY {
    struct _LIST_ENTRY *Flink;
    struct _LIST_ENTRY *Blink;
} LIST_ENTRY, *PLIST_ENTRY;

#define CONTAINING_RECORD(address, type, field) ((type *)((char *)(address) - (ULONG_PTR)&((type *)0)->field))

struct _IRP;
struct _DEVICE_OBJECT;
struct _DRIVER_OBJECT;
struct _KDPC;

typedef NTSTATUS (*PDRIVER_DISPATCH)(struct _DEVICE_OBJECT *device, struct _IRP *irp);
typedef VOID (*PDRIVER_CANCEL)(struct _DEVICE_OBJECT *device, struct _IRP *irp);
typedef VOID (*PDRIVER_STARTIO)(struct _DEVICE_OBJECT *device, struct _IRP *irp);
typedef NTSTATUS (*PDRIVER_ADD_DEVICE)(struct _DRIVER_OBJECT *driver, struct _DEVICE_OBJECT *physical);
typedef VOID (*PDRIVER_UNLOAD)(struct _DRIVER_OBJECT *driver);
typedef NTSTATUS (*PDRIVER_INITIALIZE)(struct _DRIVER_OBJECT *driver);
typedef NTSTATUS (*PIO_COMPLETION_ROUTINE)(struct _DEVICE_OBJECT *device, struct _IRP *irp, PVOID context);
typedef VOID (*PKDEFERRED_ROUTINE)(struct _KDPC *dpc, PVOID context, PVOID argument1, PVOID argument2);
typedef BOOLEAN (*PKSERVICE_ROUTINE)(PVOID context);

typedef struct _IO_STATUS_BLOCK {
    NTSTATUS Status;
    ULONG_PTR Information;
} IO_STATUS_BLOCK;

typedef struct _IO_STACK_LOCATION {
    UCHAR MajorFunction;
    UCHAR MinorFunction;
    UCHAR Control;
    union {
        struct {
            ULONG Length;
            ULONG Offset;
        } Read, Write;
        struct {
            ULONG OutputBufferLength;
            ULONG InputBufferLength;
            ULONG IoControlCode;
        } DeviceIoControl;
        struct {
            ULONG Type;
            ULONG State;
        } Power;
        struct {
            ULONG Type;
            BOOLEAN InPath;
        } UsageNotification;
    } Parameters;
    PIO_COMPLETION_ROUTINE CompletionRoutine;
    PVOID Context;
} IO_STACK_LOCATION, *PIO_STACK_LOCATION;

#define SYSTEM_BUFFER_SIZE 64
#define STACK_TOP 2

typedef struct _IRP {
    LIST_ENTRY ListEntry;
    IO_STATUS_BLOCK IoStatus;
    UCHAR SystemBuffer[SYSTEM_BUFFER_SIZE];
    PVOID DriverContext[2];
    PDRIVER_CANCEL CancelRoutine;
    KIRQL CancelIrql;
    BOOLEAN Cancel;
    BOOLEAN PendingReturned;
    int CurrentLocation;
    IO_STACK_LOCATION Stack[STACK_TOP + 1];
} IRP, *PIRP;

typedef struct _DEVICE_OBJECT {
    struct _DRIVER_OBJECT *DriverObject;
    PVOID DeviceExtension;
    PIRP CurrentIrp;
    ULONG Flags;
    BOOLEAN Deleted;
} DEVICE_OBJECT, *PDEVICE_OBJECT;

typedef struct _DRIVER_OBJECT {
    PDEVICE_OBJECT DeviceObject;
    PDRIVER_ADD_DEVICE AddDevice;
    PDRIVER_STARTIO DriverStartIo;
    PDRIVER_UNLOAD DriverUnload;
    PDRIVER_DISPATCH MajorFunction[IRP_MJ_COUNT];
} DRIVER_OBJECT, *PDRIVER_OBJECT;

typedef struct _KEVENT {
    BOOLEAN Signaled;
} KEVENT, *PKEVENT;

typedef struct _KDPC {
    PKDEFERRED_ROUTINE DeferredRoutine;
    PVOID DeferredContext;
    PVOID Argument1;
    PVOID Argument2;
    BOOLEAN Queued;
} KDPC, *PKDPC;

typedef struct _KTIMER {
    PKDPC Dpc;
    BOOLEAN Armed;
} KTIMER, *PKTIMER;

typedef struct _KINTERRUPT {
    PKSERVICE_ROUTINE ServiceRoutine;
    PVOID ServiceContext;
    BOOLEAN Connected;
} KINTERRUPT, *PKINTERRUPT;

/* The surroundings' own state. */

static IRP ModelRequest;
static IRP ModelOther;
static DEVICE_OBJECT ModelDevice;
static KEVENT ModelEvent;
static KIRQL ModelIrql;

/* Requests, as they arrive. */

static PIO_STACK_LOCATION IoGetCurrentIrpStackLocation(PIRP irp)
{
    return &irp->Stack[irp->CurrentLocation];
}

static PIO_STACK_LOCATION IoGetNextIrpStackLocation(PIRP irp)
{
    return &irp->Stack[irp->CurrentLocation - 1];
}

static VOID ModelFill(PIRP irp, UCHAR major, UCHAR minor)
{
    PIO_STACK_LOCATION stack;
    irp->Cancel = __VERIFIER_nondet_bool();
    irp->CancelRoutine = NULL;
    irp->PendingReturned = __VERIFIER_nondet_bool();
    irp->IoStatus.Status = STATUS_NOT_SUPPORTED;
    irp->IoStatus.Information = 0;
    irp->CurrentLocation = 1;
    irp->SystemBuffer[0] = __VERIFIER_nondet_uchar();
    irp->SystemBuffer[1] = __VERIFIER_nondet_uchar();
    irp->SystemBuffer[2] = __VERIFIER_nondet_uchar();
    irp->SystemBuffer[4] = __VERIFIER_nondet_uchar();
    stack = IoGetCurrentIrpStackLocation(irp);
    stack->MajorFunction = major;
    stack->MinorFunction = minor;
    stack->Control = 0;
    stack->CompletionRoutine = NULL;
    switch (major) {
    case IRP_MJ_READ:
    case IRP_MJ_WRITE:
        stack->Parameters.Read.Length = __VERIFIER_nondet_uint();
        stack->Parameters.Read.Offset = __VERIFIER_nondet_uint();
        break;
    case IRP_MJ_DEVICE_CONTROL:
    case IRP_MJ_INTERNAL_DEVICE_CONTROL:
        stack->Parameters.DeviceIoControl.IoControlCode = __VERIFIER_nondet_uint() % 32;
        stack->Parameters.DeviceIoControl.InputBufferLength = __VERIFIER_nondet_uint() % (SYSTEM_BUFFER_SIZE + 1);
        stack->Parameters.DeviceIoControl.OutputBufferLength = __VERIFIER_nondet_uint() % (SYSTEM_BUFFER_SIZE + 1);
        break;
    case IRP_MJ_POWER:
        stack->Parameters.Power.Type = __VERIFIER_nondet_uint() % 2;
        stack->Parameters.Power.State = 1 + __VERIFIER_nondet_uint() % 4;
        break;
    case IRP_MJ_PNP:
        stack->Parameters.UsageNotification.Type = __VERIFIER_nondet_uint() % 4;
        stack->Parameters.UsageNotification.InPath = __VERIFIER_nondet_bool();
        break;
    default:
        break;
    }
}

/* Queues. What is put in is forgotten, and what comes out is some other request, cancelled meanwhile or not. */

static VOID ModelCancelOther(PDEVICE_OBJECT device, PIRP irp)
{
}

static VOID InitializeListHead(PLIST_ENTRY head)
{
    head->Flink = head->Blink = head;
}

static BOOLEAN IsListEmpty(PLIST_ENTRY head)
{
    return !__VERIFIER_nondet_bool();
}

static VOID RemoveEntryList(PLIST_ENTRY entry)
{
}

static PLIST_ENTRY RemoveHeadList(PLIST_ENTRY head)
{
    ModelFill(&ModelOther, __VERIFIER_nondet_uchar() % IRP_MJ_COUNT, 0);
    if (__VERIFIER_nondet_bool())
        ModelOther.CancelRoutine = ModelCancelOther;
    return &ModelOther.ListEntry;
}

static VOID InsertTailList(PLIST_ENTRY head, PLIST_ENTRY entry)
{
}

/* Spin locks. */

static VOID KeInitializeSpinLock(PKSPIN_LOCK lock)
{
    *lock = 0;
}

static VOID KeAcquireSpinLock(PKSPIN_LOCK lock, PKIRQL irql)
{
    *irql = ModelIrql;
    ModelIrql = DISPATCH_LEVEL;
    *lock = 1;
}

static VOID KeReleaseSpinLock(PKSPIN_LOCK lock, KIRQL irql)
{
    *lock = 0;
    ModelIrql = irql;
}

static VOID KeAcquireSpinLockAtDpcLevel(PKSPIN_LOCK lock)
{
    *lock = 1;
}

static VOID KeReleaseSpinLockFromDpcLevel(PKSPIN_LOCK lock)
{
    *lock = 0;
}

static VOID IoAcquireCancelSpinLock(PKIRQL irql)
{
    *irql = ModelIrql;
    ModelIrql = DISPATCH_LEVEL;
}

static VOID IoReleaseCancelSpinLock(KIRQL irql)
{
    ModelIrql = irql;
}

/* Interlocked operations: those on queues take their lock for the time of the call. */

static PLIST_ENTRY ExInterlockedInsertTailList(PLIST_ENTRY head, PLIST_ENTRY entry, PKSPIN_LOCK lock)
{
    KIRQL irql;
    KeAcquireSpinLock(lock, &irql);
    InsertTailList(head, entry);
    KeReleaseSpinLock(lock, irql);
    return __VERIFIER_nondet_bool() ? NULL : &ModelOther.ListEntry;
}

static PLIST_ENTRY ExInterlockedRemoveHeadList(PLIST_ENTRY head, PKSPIN_LOCK lock)
{
    KIRQL irql;
    PLIST_ENTRY entry;
    KeAcquireSpinLock(lock, &irql);
    entry = IsListEmpty(head) ? NULL : RemoveHeadList(head);
    KeReleaseSpinLock(lock, irql);
    return entry;
}

static LONG InterlockedIncrement(PLONG value)
{
    return ++*value;
}

static LONG InterlockedDecrement(PLONG value)
{
    return --*value;
}

/* Requests, on their way. */

static VOID IoSkipCurrentIrpStackLocation(PIRP irp)
{
    irp->CurrentLocation++;
}

static VOID IoCopyCurrentIrpStackLocationToNext(PIRP irp)
{
    PIO_STACK_LOCATION current = IoGetCurrentIrpStackLocation(irp);
    PIO_STACK_LOCATION next = IoGetNextIrpStackLocation(irp);
    next->MajorFunction = current->MajorFunction;
    next->MinorFunction = current->MinorFunction;
    next->Parameters = current->Parameters;
    next->Control = 0;
    next->CompletionRoutine = NULL;
}

static VOID IoSetCompletionRoutine(PIRP irp, PIO_COMPLETION_ROUTINE routine, PVOID context, BOOLEAN onSuccess,
                                   BOOLEAN onError, BOOLEAN onCancel)
{
    PIO_STACK_LOCATION next = IoGetNextIrpStackLocation(irp);
    next->CompletionRoutine = routine;
    next->Context = context;
    next->Control = 0;
    if (onSuccess)
        next->Control |= SL_INVOKE_ON_SUCCESS;
    if (onError)
        next->Control |= SL_INVOKE_ON_ERROR;
}

static VOID IoMarkIrpPending(PIRP irp)
{
    IoGetCurrentIrpStackLocation(irp)->Control |= SL_PENDING_RETURNED;
}

static PDRIVER_CANCEL IoSetCancelRoutine(PIRP irp, PDRIVER_CANCEL routine)
{
    PDRIVER_CANCEL old = irp->CancelRoutine;
    irp->CancelRoutine = routine;
    return old;
}

static VOID IoCompleteRequest(PIRP irp, CHAR boost)
{
    irp->CancelRoutine = NULL;
}

/* The lower driver answers at once, or answers "pending". The request comes back to the driver's own location. */

static NTSTATUS ModelLowerStatus(VOID)
{
    switch (__VERIFIER_nondet_uchar() % 4) {
    case 1:
        return STATUS_IO_DEVICE_ERROR;
    case 2:
        return STATUS_NOT_SUPPORTED;
    default:
        return STATUS_SUCCESS;
    }
}

static NTSTATUS IoCallDriver(PDEVICE_OBJECT device, PIRP irp)
{
    NTSTATUS status = ModelLowerStatus();
    irp->CurrentLocation = 1;
    irp->IoStatus.Status = status;
    if (!NT_SUCCESS(status))
        irp->IoStatus.Information = 0;
    if (__VERIFIER_nondet_bool())
        return STATUS_PENDING;
    return status;
}

/* Events. Whoever waits is served. */

static VOID KeInitializeEvent(PKEVENT event, int type, BOOLEAN signaled)
{
    event->Signaled = signaled;
}

static LONG KeSetEvent(PKEVENT event, LONG increment, BOOLEAN wait)
{
    LONG old = event->Signaled;
    event->Signaled = TRUE;
    return old;
}

static VOID KeClearEvent(PKEVENT event)
{
    event->Signaled = FALSE;
}

static NTSTATUS KeWaitForSingleObject(PKEVENT event)
{
    event->Signaled = TRUE;
    return STATUS_SUCCESS;
}

/* Deferred calls, timers and interrupts: they run between requests. */

static VOID KeInitializeDpc(PKDPC dpc, PKDEFERRED_ROUTINE routine, PVOID context)
{
    dpc->DeferredRoutine = routine;
    dpc->DeferredContext = context;
    dpc->Queued = FALSE;
}

static BOOLEAN KeInsertQueueDpc(PKDPC dpc, PVOID argument1, PVOID argument2)
{
    dpc->Argument1 = argument1;
    dpc->Argument2 = argument2;
    return __VERIFIER_nondet_bool();
}

static VOID KeInitializeTimer(PKTIMER timer)
{
    timer->Dpc = NULL;
    timer->Armed = FALSE;
}

static BOOLEAN KeSetTimer(PKTIMER timer, LONGLONG due, PKDPC dpc)
{
    BOOLEAN was = timer->Armed;
    timer->Dpc = dpc;
    timer->Armed = TRUE;
    return was;
}

static BOOLEAN KeCancelTimer(PKTIMER timer)
{
    BOOLEAN was = timer->Armed;
    timer->Armed = FALSE;
    return was;
}

static NTSTATUS IoConnectInterrupt(PKINTERRUPT interrupt, PKSERVICE_ROUTINE routine, PVOID context)
{
    interrupt->ServiceRoutine = routine;
    interrupt->ServiceContext = context;
    interrupt->Connected = TRUE;
    return STATUS_SUCCESS;
}

static VOID IoDisconnectInterrupt(PKINTERRUPT interrupt)
{
    interrupt->Connected = FALSE;
}

static BOOLEAN KeSynchronizeExecution(PKINTERRUPT interrupt, PKSERVICE_ROUTINE routine, PVOID context)
{
    return routine(context);
}

/* Devices. */

static NTSTATUS IoCreateDevice(PDRIVER_OBJECT driver, ULONG extensionSize, PDEVICE_OBJECT *device)
{
    if (__VERIFIER_nondet_bool())
        return STATUS_INSUFFICIENT_RESOURCES;
    ModelDevice.DeviceExtension = malloc(extensionSize);
    if (ModelDevice.DeviceExtension == NULL)
        return STATUS_INSUFFICIENT_RESOURCES;
    ModelDevice.DriverObject = driver;
    driver->DeviceObject = &ModelDevice;
    *device = &ModelDevice;
    return STATUS_SUCCESS;
}

static VOID IoDeleteDevice(PDEVICE_OBJECT device)
{
    device->Deleted = TRUE;
}

static PDEVICE_OBJECT IoAttachDeviceToDeviceStack(PDEVICE_OBJECT device, PDEVICE_OBJECT physical)
{
    return __VERIFIER_nondet_bool() ? NULL : physical;
}

static VOID IoDetachDevice(PDEVICE_OBJECT lower)
{
}

static UCHAR READ_PORT_UCHAR(PUCHAR port)
{
    return __VERIFIER_nondet_uchar();
}

static VOID WRITE_PORT_UCHAR(PUCHAR port, UCHAR value)
{
}

/*
 * The harness. Each driver defines the functions named Run...; the rules hook them, since they surround every routine of
 * the driver.
 */

static NTSTATUS RunDispatch(PDEVICE_OBJECT device, PIRP irp);
static VOID RunCancel(PDEVICE_OBJECT device, PIRP irp);
static VOID RunDpc(PDEVICE_OBJECT device);
static VOID RunCompletion(PDEVICE_OBJECT device, PIRP irp);
static VOID RunInterrupt(PDEVICE_OBJECT device);

static VOID ModelSend(PDEVICE_OBJECT device, UCHAR major, UCHAR minor)
{
    ModelFill(&ModelRequest, major, minor);
    RunDispatch(device, &ModelRequest);
}

/* Start a device that was added, and let anything happen in any order until it is gone. */
static VOID RunDevice(PDEVICE_OBJECT device)
{
    ModelSend(device, IRP_MJ_PNP, IRP_MN_START_DEVICE);
    while (!device->Deleted && __VERIFIER_nondet_bool()) {
        switch (__VERIFIER_nondet_uchar() % 10) {
        case 0:
            RunCancel(device, &ModelRequest);
            break;
        case 1:
            ModelIrql = DISPATCH_LEVEL;
            RunDpc(device);
            ModelIrql = PASSIVE_LEVEL;
            break;
        case 2:
            RunInterrupt(device);
            break;
        case 3:
            RunCompletion(device, &ModelRequest);
            break;
        case 4:
            ModelSend(device, IRP_MJ_READ, 0);
            break;
        case 5:
            ModelSend(device, IRP_MJ_WRITE, 0);
            break;
        case 6:
            ModelSend(device, IRP_MJ_DEVICE_CONTROL, 0);
            break;
        case 7:
            ModelSend(device, IRP_MJ_POWER, __VERIFIER_nondet_uchar() % 4);
            break;
        case 8:
            ModelSend(device, IRP_MJ_PNP, __VERIFIER_nondet_uchar() % 24);
            break;
        default:
            ModelSend(device, __VERIFIER_nondet_uchar() % IRP_MJ_COUNT, __VERIFIER_nondet_uchar() % 10);
            break;
        }
    }
}

#endif
