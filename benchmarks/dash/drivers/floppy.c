/*
 * A driver for a floppy disk drive. Requests that move data are put on an interlocked queue and carried out one after
 * the other by a worker; the worker turns the motor on, finds out what kind of disk is in the drive, and moves sectors
 * through the controller's byte-wide port with retries. While the device is about to stop, new requests are held in a
 * second queue, and go on their way or fail when it is known what becomes of the device.
 *
 * Locks: RequestLock guards the worker's queue (by interlocked operations), HoldLock the queue of held requests,
 * MotorLock the motor and its timer. The cancel lock guards the cancel routines of requests on the worker's queue.
 */
#include "model.h"

/* Device control codes. */
#define IOCTL_CHECK_VERIFY 1
#define IOCTL_GET_GEOMETRY 2
#define IOCTL_GET_MEDIA_TYPES 3
#define IOCTL_FORMAT_TRACKS 4
#define IOCTL_IS_WRITABLE 5
#define IOCTL_SENSE_DEVICE 6
#define IOCTL_MOTOR_ON 7
#define IOCTL_MOTOR_OFF 8
#define IOCTL_GET_ERRORS 9
#define IOCTL_RESET_ERRORS 10
#define IOCTL_SET_DENSITY 11
#define IOCTL_READ_ID 12
#define IOCTL_EJECT 13
#define IOCTL_SET_RETRIES 14

/* Controller commands. */
#define COMMAND_READ_TRACK 0x02
#define COMMAND_SPECIFY 0x03
#define COMMAND_SENSE_DRIVE 0x04
#define COMMAND_WRITE 0x05
#define COMMAND_READ 0x06
#define COMMAND_RECALIBRATE 0x07
#define COMMAND_SENSE_INTERRUPT 0x08
#define COMMAND_READ_ID 0x0A
#define COMMAND_FORMAT 0x0D
#define COMMAND_SEEK 0x0F
#define COMMAND_VERSION 0x10
#define COMMAND_CONFIGURE 0x13

/* Status bits. */
#define STATUS_REGISTER_READY 0x80
#define STATUS_REGISTER_READING 0x40
#define STATUS_REGISTER_BUSY 0x10
#define ST0_ABNORMAL 0xC0
#define ST0_SEEK_END 0x20
#define ST0_NOT_READY 0x08
#define ST1_NO_DATA 0x04
#define ST1_WRITE_PROTECTED 0x02
#define ST1_CRC_ERROR 0x20
#define ST1_OVERRUN 0x10
#define ST2_WRONG_CYLINDER 0x10
#define ST2_DATA_CRC 0x20
#define ST3_WRITE_PROTECTED 0x40
#define ST3_TRACK_ZERO 0x10
#define ST3_TWO_SIDED 0x08
#define DIGITAL_INPUT_DISK_CHANGED 0x80

#define MAX_RETRIES 5
#define POLL_LIMIT 4
#define SECTOR_SIZE 512

typedef enum { DriveUnknown, Drive360, Drive720, Drive1200, Drive1440, Drive2880 } DRIVE_TYPE;

typedef enum {
    MediaUnknown,
    Media160,
    Media180,
    Media320,
    Media360,
    Media720,
    Media1200,
    Media1440,
    Media2880,
    MediaCount
} MEDIA_TYPE;

typedef enum { NotStarted, Started, Stopped, StopPending, RemovePending, SurpriseRemoved, Removed } PNP_STATE;
typedef enum { MotorOff, MotorSpinningUp, MotorOn } MOTOR_STATE;

typedef struct _MEDIA_INFORMATION {
    MEDIA_TYPE Media;
    UCHAR Sectors;
    UCHAR Heads;
    UCHAR Cylinders;
    UCHAR Gap;
    UCHAR FormatGap;
    UCHAR DataRate;
    UCHAR StepRate;
    UCHAR HeadSettle;
    UCHAR DoubleStep;
} MEDIA_INFORMATION, *PMEDIA_INFORMATION;

static const MEDIA_INFORMATION MediaTable[MediaCount] = {
    {MediaUnknown, 0, 0, 0, 0, 0, 0, 0, 0, 0},
    {Media160, 8, 1, 40, 0x2A, 0x50, 2, 0xD, 15, 0},
    {Media180, 9, 1, 40, 0x2A, 0x50, 2, 0xD, 15, 0},
    {Media320, 8, 2, 40, 0x2A, 0x50, 2, 0xD, 15, 0},
    {Media360, 9, 2, 40, 0x2A, 0x50, 2, 0xD, 15, 0},
    {Media720, 9, 2, 80, 0x2A, 0x50, 2, 0xA, 15, 0},
    {Media1200, 15, 2, 80, 0x1B, 0x54, 0, 0xD, 15, 0},
    {Media1440, 18, 2, 80, 0x1B, 0x65, 0, 0xA, 15, 0},
    {Media2880, 36, 2, 80, 0x38, 0x53, 3, 0xA, 15, 0},
};

typedef struct _COMMAND_INFORMATION {
    UCHAR Code;
    UCHAR Parameters;
    UCHAR Results;
    BOOLEAN Interrupts;
} COMMAND_INFORMATION, *PCOMMAND_INFORMATION;

#define COMMANDS 12

static const COMMAND_INFORMATION CommandTable[COMMANDS] = {
    {COMMAND_READ_TRACK, 8, 7, TRUE},
    {COMMAND_SPECIFY, 2, 0, FALSE},
    {COMMAND_SENSE_DRIVE, 1, 1, FALSE},
    {COMMAND_WRITE, 8, 7, TRUE},
    {COMMAND_READ, 8, 7, TRUE},
    {COMMAND_RECALIBRATE, 1, 0, TRUE},
    {COMMAND_SENSE_INTERRUPT, 0, 2, FALSE},
    {COMMAND_READ_ID, 1, 7, TRUE},
    {COMMAND_FORMAT, 5, 7, TRUE},
    {COMMAND_SEEK, 2, 0, TRUE},
    {COMMAND_VERSION, 0, 1, FALSE},
    {COMMAND_CONFIGURE, 3, 0, FALSE},
};

typedef struct _CONTROLLER {
    PUCHAR Status;
    PUCHAR Data;
    PUCHAR DigitalOutput;
    PUCHAR DigitalInput;
    PUCHAR DataRate;
    UCHAR Result[8];
    UCHAR ResultCount;
    UCHAR Version;
    BOOLEAN Configured;
    BOOLEAN Failed;
    BOOLEAN InterruptPending;
    ULONG Resets;
} CONTROLLER, *PCONTROLLER;

typedef struct _ERROR_COUNTS {
    ULONG NotReady;
    ULONG Crc;
    ULONG Overrun;
    ULONG Seek;
    ULONG NoData;
    ULONG WriteProtected;
    ULONG Controller;
} ERROR_COUNTS, *PERROR_COUNTS;

typedef struct _FLOPPY_EXTENSION {
    PDEVICE_OBJECT Self;
    PDEVICE_OBJECT Lower;
    PNP_STATE PnpState;
    PNP_STATE PreviousState;
    ULONG PowerState;
    LONG Outstanding;
    LONG OpenCount;
    KEVENT RemoveEvent;

    KSPIN_LOCK RequestLock;
    LIST_ENTRY RequestQueue;
    PIRP CurrentRequest;
    ULONG RequestsDone;

    KSPIN_LOCK HoldLock;
    LIST_ENTRY HoldQueue;
    BOOLEAN Hold;
    ULONG HeldRequests;

    KSPIN_LOCK MotorLock;
    MOTOR_STATE Motor;
    KTIMER MotorTimer;
    KDPC MotorDpc;
    KDPC WorkerDpc;
    KINTERRUPT Interrupt;

    CONTROLLER Controller;
    DRIVE_TYPE DriveType;
    MEDIA_TYPE Media;
    MEDIA_INFORMATION Geometry;
    BOOLEAN WriteProtected;
    BOOLEAN DiskChanged;
    BOOLEAN VerifyRequired;
    UCHAR Unit;
    UCHAR Cylinder;
    BOOLEAN CylinderKnown;
    UCHAR Retries;
    ERROR_COUNTS Errors;
} FLOPPY_EXTENSION, *PFLOPPY_EXTENSION;

/* Requests: counting, completing, passing down. */

static VOID FlReference(PFLOPPY_EXTENSION extension)
{
    InterlockedIncrement(&extension->Outstanding);
}

static VOID FlDereference(PFLOPPY_EXTENSION extension)
{
    if (InterlockedDecrement(&extension->Outstanding) == 0)
        KeSetEvent(&extension->RemoveEvent, IO_NO_INCREMENT, FALSE);
}

static NTSTATUS FlComplete(PIRP irp, NTSTATUS status, ULONG information)
{
    irp->IoStatus.Status = status;
    irp->IoStatus.Information = information;
    IoCompleteRequest(irp, NT_SUCCESS(status) ? IO_DISK_INCREMENT : IO_NO_INCREMENT);
    return status;
}

/* Complete a request that was counted. */
static NTSTATUS FlFinish(PFLOPPY_EXTENSION extension, PIRP irp, NTSTATUS status, ULONG information)
{
    FlComplete(irp, status, information);
    FlDereference(extension);
    return status;
}

static NTSTATUS FlSendDown(PFLOPPY_EXTENSION extension, PIRP irp)
{
    IoSkipCurrentIrpStackLocation(irp);
    return IoCallDriver(extension->Lower, irp);
}

static NTSTATUS FlSyncDone(PDEVICE_OBJECT device, PIRP irp, PVOID context)
{
    KeSetEvent(context, IO_NO_INCREMENT, FALSE);
    return STATUS_MORE_PROCESSING_REQUIRED;
}

static NTSTATUS FlSendDownAndWait(PFLOPPY_EXTENSION extension, PIRP irp)
{
    KEVENT done;
    NTSTATUS status;

    KeInitializeEvent(&done, 0, FALSE);
    IoCopyCurrentIrpStackLocationToNext(irp);
    IoSetCompletionRoutine(irp, FlSyncDone, &done, TRUE, TRUE, TRUE);
    status = IoCallDriver(extension->Lower, irp);
    if (status == STATUS_PENDING) {
        KeWaitForSingleObject(&done);
        status = irp->IoStatus.Status;
    }
    return status;
}

/* The controller's bytes. */

/* Wait until the controller wants a byte (or has one); it does not take long, or the controller hangs. */
static BOOLEAN FlWaitController(PCONTROLLER controller, UCHAR wanted)
{
    ULONG polls;

    for (polls = 0; polls < POLL_LIMIT; polls++) {
        UCHAR status = READ_PORT_UCHAR(controller->Status);
        if ((status & STATUS_REGISTER_READY) == 0)
            continue;
        if ((status & STATUS_REGISTER_READING) == wanted)
            return TRUE;
    }
    return FALSE;
}

static NTSTATUS FlSendByte(PCONTROLLER controller, UCHAR byte)
{
    if (!FlWaitController(controller, 0)) {
        controller->Failed = TRUE;
        return STATUS_DEVICE_NOT_READY;
    }
    WRITE_PORT_UCHAR(controller->Data, byte);
    return STATUS_SUCCESS;
}

static NTSTATUS FlGetByte(PCONTROLLER controller, PUCHAR byte)
{
    if (!FlWaitController(controller, STATUS_REGISTER_READING)) {
        controller->Failed = TRUE;
        return STATUS_DEVICE_NOT_READY;
    }
    *byte = READ_PORT_UCHAR(controller->Data);
    return STATUS_SUCCESS;
}

static const COMMAND_INFORMATION *FlFindCommand(UCHAR code)
{
    int i;

    for (i = 0; i < COMMANDS; i++) {
        if (CommandTable[i].Code == code)
            return &CommandTable[i];
    }
    return NULL;
}

static NTSTATUS FlSendParameters(PCONTROLLER controller, PUCHAR parameters, UCHAR count)
{
    UCHAR i;

    for (i = 0; i < count; i++) {
        NTSTATUS status = FlSendByte(controller, parameters[i]);
        if (!NT_SUCCESS(status))
            return status;
    }
    return STATUS_SUCCESS;
}

static NTSTATUS FlGetResults(PCONTROLLER controller, UCHAR count)
{
    UCHAR i;

    controller->ResultCount = 0;
    for (i = 0; i < count; i++) {
        NTSTATUS status = FlGetByte(controller, &controller->Result[i]);
        if (!NT_SUCCESS(status))
            return status;
        controller->ResultCount = i + 1;
    }
    return STATUS_SUCCESS;
}

static NTSTATUS FlWaitInterrupt(PCONTROLLER controller)
{
    if (controller->InterruptPending || __VERIFIER_nondet_bool()) {
        controller->InterruptPending = FALSE;
        return STATUS_SUCCESS;
    }
    controller->Failed = TRUE;
    return STATUS_TIMEOUT;
}

/* Send a command with its parameters, wait for it if it interrupts, and fetch its results. */
static NTSTATUS FlIssueCommand(PCONTROLLER controller, UCHAR code, PUCHAR parameters)
{
    const COMMAND_INFORMATION *command = FlFindCommand(code);
    NTSTATUS status;

    if (command == NULL)
        return STATUS_INVALID_PARAMETER;
    status = FlSendByte(controller, code);
    if (!NT_SUCCESS(status))
        return status;
    status = FlSendParameters(controller, parameters, command->Parameters);
    if (!NT_SUCCESS(status))
        return status;
    if (command->Interrupts) {
        status = FlWaitInterrupt(controller);
        if (status != STATUS_SUCCESS)
            return STATUS_IO_DEVICE_ERROR;
    }
    return FlGetResults(controller, command->Results);
}

static NTSTATUS FlSenseInterrupt(PCONTROLLER controller, PUCHAR cylinder)
{
    UCHAR none[1] = {0};
    NTSTATUS status = FlIssueCommand(controller, COMMAND_SENSE_INTERRUPT, none);

    if (!NT_SUCCESS(status))
        return status;
    *cylinder = controller->Result[1];
    if ((controller->Result[0] & ST0_ABNORMAL) != 0)
        return STATUS_IO_DEVICE_ERROR;
    return STATUS_SUCCESS;
}

static NTSTATUS FlConfigure(PFLOPPY_EXTENSION extension)
{
    PCONTROLLER controller = &extension->Controller;
    UCHAR parameters[3];
    NTSTATUS status;

    parameters[0] = 0;
    status = FlIssueCommand(controller, COMMAND_VERSION, parameters);
    if (!NT_SUCCESS(status))
        return status;
    controller->Version = controller->Result[0];
    if (controller->Version == 0x90) {
        parameters[0] = 0;
        parameters[1] = 0x48;
        parameters[2] = 0;
        status = FlIssueCommand(controller, COMMAND_CONFIGURE, parameters);
        if (!NT_SUCCESS(status))
            return status;
    }
    controller->Configured = TRUE;
    return STATUS_SUCCESS;
}

/* The controller hangs: reset it, and forget where the heads are. */
static NTSTATUS FlResetController(PFLOPPY_EXTENSION extension)
{
    PCONTROLLER controller = &extension->Controller;
    UCHAR cylinder;
    int drive;

    controller->Resets++;
    controller->Failed = FALSE;
    controller->Configured = FALSE;
    controller->InterruptPending = FALSE;
    extension->CylinderKnown = FALSE;
    WRITE_PORT_UCHAR(controller->DigitalOutput, 0);
    WRITE_PORT_UCHAR(controller->DigitalOutput, 0x0C);
    if (FlWaitInterrupt(controller) != STATUS_SUCCESS)
        return STATUS_DEVICE_NOT_READY;
    for (drive = 0; drive < 4; drive++)
        FlSenseInterrupt(controller, &cylinder);
    return FlConfigure(extension);
}

static NTSTATUS FlSpecify(PFLOPPY_EXTENSION extension)
{
    UCHAR parameters[2];

    parameters[0] = (UCHAR)(extension->Geometry.StepRate << 4 | 0x0F);
    parameters[1] = (UCHAR)(extension->Geometry.HeadSettle << 1);
    WRITE_PORT_UCHAR(extension->Controller.DataRate, extension->Geometry.DataRate);
    return FlIssueCommand(&extension->Controller, COMMAND_SPECIFY, parameters);
}

/* Motor. */

static VOID FlMotorDpc(PKDPC dpc, PVOID context, PVOID argument1, PVOID argument2)
{
    PFLOPPY_EXTENSION extension = context;

    KeAcquireSpinLockAtDpcLevel(&extension->MotorLock);
    switch (extension->Motor) {
    case MotorSpinningUp:
        extension->Motor = MotorOn;
        KeSetTimer(&extension->MotorTimer, -3000, &extension->MotorDpc);
        break;
    case MotorOn:
        if (extension->CurrentRequest == NULL) {
            WRITE_PORT_UCHAR(extension->Controller.DigitalOutput, 0x0C);
            extension->Motor = MotorOff;
        } else {
            KeSetTimer(&extension->MotorTimer, -3000, &extension->MotorDpc);
        }
        break;
    case MotorOff:
        break;
    }
    KeReleaseSpinLockFromDpcLevel(&extension->MotorLock);
}

static VOID FlMotorOn(PFLOPPY_EXTENSION extension)
{
    KIRQL irql;

    KeAcquireSpinLock(&extension->MotorLock, &irql);
    if (extension->Motor == MotorOn) {
        KeReleaseSpinLock(&extension->MotorLock, irql);
        return;
    }
    WRITE_PORT_UCHAR(extension->Controller.DigitalOutput, (UCHAR)(0x1C + extension->Unit));
    extension->Motor = MotorSpinningUp;
    KeSetTimer(&extension->MotorTimer, -5, &extension->MotorDpc);
    KeReleaseSpinLock(&extension->MotorLock, irql);
}

static VOID FlMotorOff(PFLOPPY_EXTENSION extension)
{
    KIRQL irql;

    KeAcquireSpinLock(&extension->MotorLock, &irql);
    if (extension->Motor != MotorOff) {
        KeCancelTimer(&extension->MotorTimer);
        WRITE_PORT_UCHAR(extension->Controller.DigitalOutput, 0x0C);
        extension->Motor = MotorOff;
    }
    KeReleaseSpinLock(&extension->MotorLock, irql);
}

static VOID FlMotorIdle(PFLOPPY_EXTENSION extension)
{
    KIRQL irql;

    KeAcquireSpinLock(&extension->MotorLock, &irql);
    if (extension->Motor == MotorOn)
        KeSetTimer(&extension->MotorTimer, -3000, &extension->MotorDpc);
    KeReleaseSpinLock(&extension->MotorLock, irql);
}

/* Heads. */

static NTSTATUS FlRecalibrate(PFLOPPY_EXTENSION extension)
{
    UCHAR parameters[1];
    UCHAR cylinder;
    int attempt;
    NTSTATUS status = STATUS_IO_DEVICE_ERROR;

    parameters[0] = extension->Unit;
    for (attempt = 0; attempt < 2; attempt++) {
        status = FlIssueCommand(&extension->Controller, COMMAND_RECALIBRATE, parameters);
        if (!NT_SUCCESS(status))
            break;
        status = FlSenseInterrupt(&extension->Controller, &cylinder);
        if (NT_SUCCESS(status) && cylinder == 0) {
            extension->Cylinder = 0;
            extension->CylinderKnown = TRUE;
            return STATUS_SUCCESS;
        }
    }
    extension->CylinderKnown = FALSE;
    extension->Errors.Seek++;
    return NT_SUCCESS(status) ? STATUS_IO_DEVICE_ERROR : status;
}

static NTSTATUS FlSeek(PFLOPPY_EXTENSION extension, UCHAR cylinder)
{
    UCHAR parameters[2];
    UCHAR arrived;
    NTSTATUS status;

    if (!extension->CylinderKnown) {
        status = FlRecalibrate(extension);
        if (!NT_SUCCESS(status))
            return status;
    }
    if (extension->Cylinder == cylinder)
        return STATUS_SUCCESS;
    parameters[0] = extension->Unit;
    parameters[1] = (UCHAR)(cylinder << extension->Geometry.DoubleStep);
    status = FlIssueCommand(&extension->Controller, COMMAND_SEEK, parameters);
    if (!NT_SUCCESS(status))
        return status;
    status = FlSenseInterrupt(&extension->Controller, &arrived);
    if (!NT_SUCCESS(status) || arrived != parameters[1]) {
        extension->CylinderKnown = FALSE;
        extension->Errors.Seek++;
        return STATUS_IO_DEVICE_ERROR;
    }
    extension->Cylinder = cylinder;
    return STATUS_SUCCESS;
}

/* What disk is in. */

static VOID FlUseMedia(PFLOPPY_EXTENSION extension, MEDIA_TYPE media)
{
    extension->Media = media;
    extension->Geometry = MediaTable[media];
    if (extension->DriveType == Drive1200 && media <= Media360 && media != MediaUnknown)
        extension->Geometry.DoubleStep = 1;
}

static MEDIA_TYPE FlLargestMedia(DRIVE_TYPE drive)
{
    switch (drive) {
    case Drive360:
        return Media360;
    case Drive720:
        return Media720;
    case Drive1200:
        return Media1200;
    case Drive1440:
        return Media1440;
    case Drive2880:
        return Media2880;
    default:
        return MediaUnknown;
    }
}

static BOOLEAN FlDriveTakes(DRIVE_TYPE drive, MEDIA_TYPE media)
{
    switch (drive) {
    case Drive360:
        return media >= Media160 && media <= Media360;
    case Drive720:
        return media == Media720;
    case Drive1200:
        return media >= Media160 && media <= Media1200 && media != Media720;
    case Drive1440:
        return media == Media720 || media == Media1440;
    case Drive2880:
        return media == Media720 || media == Media1440 || media == Media2880;
    default:
        return FALSE;
    }
}

static NTSTATUS FlSenseDrive(PFLOPPY_EXTENSION extension)
{
    UCHAR parameters[1];
    NTSTATUS status;

    parameters[0] = extension->Unit;
    status = FlIssueCommand(&extension->Controller, COMMAND_SENSE_DRIVE, parameters);
    if (!NT_SUCCESS(status))
        return status;
    extension->WriteProtected = (extension->Controller.Result[0] & ST3_WRITE_PROTECTED) != 0;
    return STATUS_SUCCESS;
}

static NTSTATUS FlReadId(PFLOPPY_EXTENSION extension, UCHAR head)
{
    UCHAR parameters[1];
    NTSTATUS status;

    parameters[0] = (UCHAR)(extension->Unit | head << 2);
    status = FlIssueCommand(&extension->Controller, COMMAND_READ_ID, parameters);
    if (!NT_SUCCESS(status))
        return status;
    if ((extension->Controller.Result[0] & ST0_ABNORMAL) != 0)
        return STATUS_IO_DEVICE_ERROR;
    return STATUS_SUCCESS;
}

/* Try the kinds of disk that this drive takes, the largest first, until one can be read. */
static NTSTATUS FlDetermineMedia(PFLOPPY_EXTENSION extension)
{
    int media;
    NTSTATUS status = FlSenseDrive(extension);

    if (!NT_SUCCESS(status))
        return status;
    for (media = FlLargestMedia(extension->DriveType); media > MediaUnknown; media--) {
        if (!FlDriveTakes(extension->DriveType, media))
            continue;
        FlUseMedia(extension, media);
        status = FlSpecify(extension);
        if (!NT_SUCCESS(status))
            break;
        status = FlSeek(extension, 0);
        if (!NT_SUCCESS(status))
            continue;
        status = FlReadId(extension, extension->Geometry.Heads - 1);
        if (NT_SUCCESS(status)) {
            extension->VerifyRequired = FALSE;
            return STATUS_SUCCESS;
        }
        if (extension->Controller.Failed)
            break;
    }
    FlUseMedia(extension, MediaUnknown);
    return extension->Controller.Failed ? STATUS_DEVICE_NOT_READY : STATUS_NO_MEDIA_IN_DEVICE;
}

/* Motor on, controller alive, disk known. Done before every request that touches the disk. */
static NTSTATUS FlPrepareDrive(PFLOPPY_EXTENSION extension, BOOLEAN writing)
{
    NTSTATUS status;

    if (extension->Controller.Failed || !extension->Controller.Configured) {
        status = FlResetController(extension);
        if (!NT_SUCCESS(status)) {
            extension->Errors.Controller++;
            return status;
        }
    }
    FlMotorOn(extension);
    if ((READ_PORT_UCHAR(extension->Controller.DigitalInput) & DIGITAL_INPUT_DISK_CHANGED) != 0) {
        extension->DiskChanged = TRUE;
        extension->VerifyRequired = TRUE;
        FlUseMedia(extension, MediaUnknown);
        extension->CylinderKnown = FALSE;
        status = FlSeek(extension, 1);
        if (NT_SUCCESS(status))
            extension->DiskChanged = FALSE;
    }
    if (extension->DiskChanged)
        return STATUS_NO_MEDIA_IN_DEVICE;
    if (extension->Media == MediaUnknown) {
        status = FlDetermineMedia(extension);
        if (!NT_SUCCESS(status))
            return status;
    }
    if (writing && extension->WriteProtected)
        return STATUS_MEDIA_WRITE_PROTECTED;
    return STATUS_SUCCESS;
}

/* Moving sectors. */

/* What went wrong, from the controller's result bytes, counted by kind. */
static NTSTATUS FlInterpretError(PFLOPPY_EXTENSION extension)
{
    UCHAR st0 = extension->Controller.Result[0];
    UCHAR st1 = extension->Controller.Result[1];
    UCHAR st2 = extension->Controller.Result[2];

    if ((st0 & ST0_NOT_READY) != 0) {
        extension->Errors.NotReady++;
        return STATUS_DEVICE_NOT_READY;
    }
    if ((st1 & ST1_WRITE_PROTECTED) != 0) {
        extension->Errors.WriteProtected++;
        return STATUS_MEDIA_WRITE_PROTECTED;
    }
    if ((st1 & ST1_CRC_ERROR) != 0 || (st2 & ST2_DATA_CRC) != 0) {
        extension->Errors.Crc++;
        return STATUS_IO_DEVICE_ERROR;
    }
    if ((st1 & ST1_OVERRUN) != 0) {
        extension->Errors.Overrun++;
        return STATUS_IO_DEVICE_ERROR;
    }
    if ((st2 & ST2_WRONG_CYLINDER) != 0) {
        extension->Errors.Seek++;
        extension->CylinderKnown = FALSE;
        return STATUS_IO_DEVICE_ERROR;
    }
    if ((st1 & ST1_NO_DATA) != 0)
        extension->Errors.NoData++;
    return STATUS_IO_DEVICE_ERROR;
}

static NTSTATUS FlTransferOnce(PFLOPPY_EXTENSION extension, UCHAR command, UCHAR cylinder, UCHAR head, UCHAR sector,
                               UCHAR count)
{
    UCHAR parameters[8];
    NTSTATUS status = FlSeek(extension, cylinder);

    if (!NT_SUCCESS(status))
        return status;
    parameters[0] = (UCHAR)(extension->Unit | head << 2);
    parameters[1] = cylinder;
    parameters[2] = head;
    parameters[3] = (UCHAR)(sector + 1);
    parameters[4] = 2;
    parameters[5] = (UCHAR)(sector + count);
    parameters[6] = extension->Geometry.Gap;
    parameters[7] = 0xFF;
    status = FlIssueCommand(&extension->Controller, command, parameters);
    if (!NT_SUCCESS(status))
        return status;
    if ((extension->Controller.Result[0] & ST0_ABNORMAL) != 0)
        return FlInterpretError(extension);
    return STATUS_SUCCESS;
}

static BOOLEAN FlWorthRetrying(NTSTATUS status)
{
    return status != STATUS_MEDIA_WRITE_PROTECTED && status != STATUS_NO_MEDIA_IN_DEVICE;
}

/* Some sectors of one track, with retries; every second failure brings the heads back to cylinder zero. */
static NTSTATUS FlTransfer(PFLOPPY_EXTENSION extension, UCHAR command, UCHAR cylinder, UCHAR head, UCHAR sector, UCHAR count)
{
    UCHAR attempt = 0;
    NTSTATUS status;

    for (;;) {
        status = FlTransferOnce(extension, command, cylinder, head, sector, count);
        if (NT_SUCCESS(status) || !FlWorthRetrying(status))
            return status;
        attempt++;
        if (attempt > extension->Retries)
            return status;
        if (extension->Controller.Failed) {
            status = FlResetController(extension);
            if (!NT_SUCCESS(status))
                return status;
        } else if (attempt % 2 == 0) {
            extension->CylinderKnown = FALSE;
        }
    }
}

/* A request covers sectors first .. first + count - 1; they are moved track by track. */
static NTSTATUS FlReadWriteSectors(PFLOPPY_EXTENSION extension, BOOLEAN writing, ULONG first, ULONG count, PULONG moved)
{
    ULONG perTrack = extension->Geometry.Sectors;
    ULONG perCylinder = perTrack * extension->Geometry.Heads;
    UCHAR command = writing ? COMMAND_WRITE : COMMAND_READ;

    *moved = 0;
    if (perTrack == 0 || perCylinder == 0)
        return STATUS_NO_MEDIA_IN_DEVICE;
    while (count > 0) {
        ULONG cylinder = first / perCylinder;
        ULONG head = first % perCylinder / perTrack;
        ULONG sector = first % perTrack;
        ULONG now = perTrack - sector;
        NTSTATUS status;
        if (now > count)
            now = count;
        status = FlTransfer(extension, command, (UCHAR)cylinder, (UCHAR)head, (UCHAR)sector, (UCHAR)now);
        if (!NT_SUCCESS(status))
            return status;
        first += now;
        count -= now;
        *moved += now;
    }
    return STATUS_SUCCESS;
}

static NTSTATUS FlDoReadWrite(PFLOPPY_EXTENSION extension, PIRP irp, BOOLEAN writing)
{
    PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);
    ULONG first = stack->Parameters.Read.Offset / SECTOR_SIZE;
    ULONG count = stack->Parameters.Read.Length / SECTOR_SIZE;
    ULONG total, moved;
    NTSTATUS status = FlPrepareDrive(extension, writing);

    if (!NT_SUCCESS(status))
        return status;
    if (extension->VerifyRequired)
        return STATUS_VERIFY_REQUIRED;
    total = (ULONG)extension->Geometry.Sectors * extension->Geometry.Heads * extension->Geometry.Cylinders;
    if (first >= total || count > total - first)
        return STATUS_INVALID_PARAMETER;
    status = FlReadWriteSectors(extension, writing, first, count, &moved);
    irp->IoStatus.Information = moved * SECTOR_SIZE;
    return status;
}

/* Formatting. */

typedef struct _FORMAT_PARAMETERS {
    UCHAR Media;
    UCHAR StartCylinder;
    UCHAR EndCylinder;
    UCHAR StartHead;
    UCHAR EndHead;
} FORMAT_PARAMETERS, *PFORMAT_PARAMETERS;

static NTSTATUS FlCheckFormat(PFLOPPY_EXTENSION extension, PFORMAT_PARAMETERS format)
{
    const MEDIA_INFORMATION *media;

    if (format->Media == MediaUnknown || format->Media >= MediaCount)
        return STATUS_INVALID_PARAMETER;
    if (!FlDriveTakes(extension->DriveType, format->Media))
        return STATUS_INVALID_PARAMETER;
    media = &MediaTable[format->Media];
    if (format->StartCylinder > format->EndCylinder || format->EndCylinder >= media->Cylinders)
        return STATUS_INVALID_PARAMETER;
    if (format->StartHead > format->EndHead || format->EndHead >= media->Heads)
        return STATUS_INVALID_PARAMETER;
    return STATUS_SUCCESS;
}

static NTSTATUS FlFormatTrack(PFLOPPY_EXTENSION extension, UCHAR cylinder, UCHAR head)
{
    UCHAR parameters[5];
    UCHAR attempt;
    NTSTATUS status = STATUS_SUCCESS;

    for (attempt = 0; attempt <= extension->Retries; attempt++) {
        status = FlSeek(extension, cylinder);
        if (!NT_SUCCESS(status))
            continue;
        parameters[0] = (UCHAR)(extension->Unit | head << 2);
        parameters[1] = 2;
        parameters[2] = extension->Geometry.Sectors;
        parameters[3] = extension->Geometry.FormatGap;
        parameters[4] = 0xF6;
        status = FlIssueCommand(&extension->Controller, COMMAND_FORMAT, parameters);
        if (!NT_SUCCESS(status))
            continue;
        if ((extension->Controller.Result[0] & ST0_ABNORMAL) == 0)
            return STATUS_SUCCESS;
        status = FlInterpretError(extension);
        if (!FlWorthRetrying(status))
            return status;
    }
    return NT_SUCCESS(status) ? STATUS_IO_DEVICE_ERROR : status;
}

static NTSTATUS FlDoFormat(PFLOPPY_EXTENSION extension, PIRP irp)
{
    FORMAT_PARAMETERS format;
    ULONG cylinder, head;
    NTSTATUS status;

    format.Media = irp->SystemBuffer[0];
    format.StartCylinder = irp->SystemBuffer[1];
    format.EndCylinder = irp->SystemBuffer[2];
    format.StartHead = irp->SystemBuffer[3];
    format.EndHead = irp->SystemBuffer[4];
    status = FlCheckFormat(extension, &format);
    if (!NT_SUCCESS(status))
        return status;
    status = FlPrepareDrive(extension, TRUE);
    if (!NT_SUCCESS(status) && status != STATUS_NO_MEDIA_IN_DEVICE)
        return status;
    FlUseMedia(extension, format.Media);
    status = FlSpecify(extension);
    for (cylinder = format.StartCylinder; NT_SUCCESS(status) && cylinder <= format.EndCylinder; cylinder++) {
        for (head = format.StartHead; NT_SUCCESS(status) && head <= format.EndHead; head++)
            status = FlFormatTrack(extension, (UCHAR)cylinder, (UCHAR)head);
    }
    if (!NT_SUCCESS(status))
        FlUseMedia(extension, MediaUnknown);
    return status;
}

/* The other requests of the worker. */

static NTSTATUS FlDoCheckVerify(PFLOPPY_EXTENSION extension)
{
    NTSTATUS status;

    extension->VerifyRequired = FALSE;
    status = FlPrepareDrive(extension, FALSE);
    if (NT_SUCCESS(status) && extension->VerifyRequired)
        return STATUS_VERIFY_REQUIRED;
    return status;
}

static NTSTATUS FlDoGetGeometry(PFLOPPY_EXTENSION extension, PIRP irp)
{
    ULONG room = IoGetCurrentIrpStackLocation(irp)->Parameters.DeviceIoControl.OutputBufferLength;
    NTSTATUS status;

    if (room < 4)
        return STATUS_BUFFER_TOO_SMALL;
    status = FlPrepareDrive(extension, FALSE);
    if (!NT_SUCCESS(status))
        return status;
    irp->SystemBuffer[0] = (UCHAR)extension->Geometry.Media;
    irp->SystemBuffer[1] = extension->Geometry.Cylinders;
    irp->SystemBuffer[2] = extension->Geometry.Heads;
    irp->SystemBuffer[3] = extension->Geometry.Sectors;
    irp->IoStatus.Information = 4;
    return STATUS_SUCCESS;
}

static NTSTATUS FlDoIsWritable(PFLOPPY_EXTENSION extension)
{
    NTSTATUS status = FlPrepareDrive(extension, FALSE);

    if (!NT_SUCCESS(status))
        return status;
    status = FlSenseDrive(extension);
    if (NT_SUCCESS(status) && extension->WriteProtected)
        return STATUS_MEDIA_WRITE_PROTECTED;
    return status;
}

static NTSTATUS FlDoReadId(PFLOPPY_EXTENSION extension, PIRP irp)
{
    UCHAR i;
    NTSTATUS status = FlPrepareDrive(extension, FALSE);

    if (!NT_SUCCESS(status))
        return status;
    status = FlReadId(extension, 0);
    if (!NT_SUCCESS(status))
        return status;
    for (i = 0; i < 4; i++)
        irp->SystemBuffer[i] = extension->Controller.Result[3 + i];
    irp->IoStatus.Information = 4;
    return STATUS_SUCCESS;
}

static NTSTATUS FlDoControl(PFLOPPY_EXTENSION extension, PIRP irp)
{
    switch (IoGetCurrentIrpStackLocation(irp)->Parameters.DeviceIoControl.IoControlCode) {
    case IOCTL_CHECK_VERIFY:
        return FlDoCheckVerify(extension);
    case IOCTL_GET_GEOMETRY:
        return FlDoGetGeometry(extension, irp);
    case IOCTL_FORMAT_TRACKS:
        return FlDoFormat(extension, irp);
    case IOCTL_IS_WRITABLE:
        return FlDoIsWritable(extension);
    case IOCTL_SENSE_DEVICE:
        return FlSenseDrive(extension);
    case IOCTL_READ_ID:
        return FlDoReadId(extension, irp);
    default:
        return STATUS_INVALID_DEVICE_REQUEST;
    }
}

static NTSTATUS FlDoRequest(PFLOPPY_EXTENSION extension, PIRP irp)
{
    irp->IoStatus.Information = 0;
    if (extension->PnpState == SurpriseRemoved || extension->PnpState == Removed)
        return STATUS_NO_SUCH_DEVICE;
    if (extension->PowerState > 1)
        return STATUS_DEVICE_NOT_READY;
    switch (IoGetCurrentIrpStackLocation(irp)->MajorFunction) {
    case IRP_MJ_READ:
        return FlDoReadWrite(extension, irp, FALSE);
    case IRP_MJ_WRITE:
        return FlDoReadWrite(extension, irp, TRUE);
    case IRP_MJ_DEVICE_CONTROL:
        return FlDoControl(extension, irp);
    default:
        return STATUS_INVALID_DEVICE_REQUEST;
    }
}

/* The worker and its queue. */

static VOID FlCancelRequest(PDEVICE_OBJECT device, PIRP irp)
{
    PFLOPPY_EXTENSION extension = device->DeviceExtension;
    KIRQL irql;

    KeAcquireSpinLock(&extension->RequestLock, &irql);
    RemoveEntryList(&irp->ListEntry);
    KeReleaseSpinLock(&extension->RequestLock, irql);
    IoReleaseCancelSpinLock(irp->CancelIrql);
    FlFinish(extension, irp, STATUS_CANCELLED, 0);
}

/* Give a request to the worker. It may be done before this returns, so it is marked first. */
static NTSTATUS FlStartRequest(PFLOPPY_EXTENSION extension, PIRP irp)
{
    KIRQL irql;

    IoAcquireCancelSpinLock(&irql);
    if (irp->Cancel) {
#ifndef BUG_CANCEL_SPIN_LOCK
        IoReleaseCancelSpinLock(irql);
#endif
        return FlFinish(extension, irp, STATUS_CANCELLED, 0);
    }
    IoSetCancelRoutine(irp, FlCancelRequest);
#ifdef BUG_INTERLOCKED_QUEUE
    ExInterlockedInsertTailList(&extension->RequestQueue, &irp->ListEntry, &extension->RequestLock);
    IoMarkIrpPending(irp);
#else
    IoMarkIrpPending(irp);
    ExInterlockedInsertTailList(&extension->RequestQueue, &irp->ListEntry, &extension->RequestLock);
#endif
    IoReleaseCancelSpinLock(irql);
    KeInsertQueueDpc(&extension->WorkerDpc, NULL, NULL);
    return STATUS_PENDING;
}

/* The next request that can no longer be cancelled. */
static PIRP FlNextRequest(PFLOPPY_EXTENSION extension)
{
    PLIST_ENTRY entry;
    PIRP irp = NULL;
    KIRQL irql;

    IoAcquireCancelSpinLock(&irql);
    entry = ExInterlockedRemoveHeadList(&extension->RequestQueue, &extension->RequestLock);
    if (entry != NULL) {
        irp = CONTAINING_RECORD(entry, IRP, ListEntry);
        IoSetCancelRoutine(irp, NULL);
    }
    IoReleaseCancelSpinLock(irql);
    return irp;
}

static VOID FlWorkerDpc(PKDPC dpc, PVOID context, PVOID argument1, PVOID argument2)
{
    PFLOPPY_EXTENSION extension = context;
    PIRP irp;

    while ((irp = FlNextRequest(extension)) != NULL) {
        NTSTATUS status;
        extension->CurrentRequest = irp;
        status = FlDoRequest(extension, irp);
        extension->CurrentRequest = NULL;
        extension->RequestsDone++;
        if (!NT_SUCCESS(status))
            irp->IoStatus.Information = 0;
        FlFinish(extension, irp, status, (ULONG)irp->IoStatus.Information);
    }
    FlMotorIdle(extension);
}

static VOID FlFailRequests(PFLOPPY_EXTENSION extension, NTSTATUS status)
{
    PIRP irp;

    while ((irp = FlNextRequest(extension)) != NULL)
        FlFinish(extension, irp, status, 0);
}

/* Held while the device waits. */

static VOID FlCancelHeldRequest(PDEVICE_OBJECT device, PIRP irp)
{
    PFLOPPY_EXTENSION extension = device->DeviceExtension;
    KIRQL irql;

    KeAcquireSpinLock(&extension->HoldLock, &irql);
    RemoveEntryList(&irp->ListEntry);
    extension->HeldRequests--;
    KeReleaseSpinLock(&extension->HoldLock, irql);
    IoReleaseCancelSpinLock(irp->CancelIrql);
    FlFinish(extension, irp, STATUS_CANCELLED, 0);
}

static NTSTATUS FlHoldRequest(PFLOPPY_EXTENSION extension, PIRP irp)
{
    KIRQL irql;
    PDRIVER_CANCEL old;

    KeAcquireSpinLock(&extension->HoldLock, &irql);
#ifdef BUG_MARK_PENDING
    IoMarkIrpPending(irp);
#endif
    IoSetCancelRoutine(irp, FlCancelHeldRequest);
    if (irp->Cancel) {
        old = IoSetCancelRoutine(irp, NULL);
        if (old != NULL) {
#ifndef BUG_SPIN_LOCK
            KeReleaseSpinLock(&extension->HoldLock, irql);
#endif
            return FlFinish(extension, irp, STATUS_CANCELLED, 0);
        }
    }
#ifndef BUG_MARK_PENDING
    IoMarkIrpPending(irp);
#endif
    InsertTailList(&extension->HoldQueue, &irp->ListEntry);
    extension->HeldRequests++;
    KeReleaseSpinLock(&extension->HoldLock, irql);
    return STATUS_PENDING;
}

/* Where a held request goes when the waiting is over. */
static VOID FlResumeRequest(PFLOPPY_EXTENSION extension, PIRP irp)
{
    switch (extension->PnpState) {
    case Started:
    case RemovePending:
    case StopPending:
        FlStartRequest(extension, irp);
        break;
    case Stopped:
        FlFinish(extension, irp, STATUS_DEVICE_NOT_READY, 0);
        break;
    default:
        FlFinish(extension, irp, STATUS_NO_SUCH_DEVICE, 0);
        break;
    }
}

/*
 * Empty the queue of held requests. The lock is given up while a request is resumed, and taken again for the next one;
 * a request whose cancel routine is gone belongs to its canceller.
 */
static VOID FlProcessHeldRequests(PFLOPPY_EXTENSION extension)
{
    KIRQL irql;
    PIRP irp;

    KeAcquireSpinLock(&extension->HoldLock, &irql);
    extension->Hold = FALSE;
    for (;;) {
        if (IsListEmpty(&extension->HoldQueue))
            break;
        irp = CONTAINING_RECORD(RemoveHeadList(&extension->HoldQueue), IRP, ListEntry);
        extension->HeldRequests--;
        if (IoSetCancelRoutine(irp, NULL) == NULL) {
            InitializeListHead(&irp->ListEntry);
            irp = NULL;
        }
        KeReleaseSpinLock(&extension->HoldLock, irql);
        if (irp != NULL)
            FlResumeRequest(extension, irp);
        KeAcquireSpinLock(&extension->HoldLock, &irql);
    }
    KeReleaseSpinLock(&extension->HoldLock, irql);
}

static VOID FlHoldNewRequests(PFLOPPY_EXTENSION extension)
{
    KIRQL irql;

    KeAcquireSpinLock(&extension->HoldLock, &irql);
    extension->Hold = TRUE;
    KeReleaseSpinLock(&extension->HoldLock, irql);
}

static BOOLEAN FlMustHold(PFLOPPY_EXTENSION extension)
{
    KIRQL irql;
    BOOLEAN hold;

    KeAcquireSpinLock(&extension->HoldLock, &irql);
    hold = extension->Hold;
    KeReleaseSpinLock(&extension->HoldLock, irql);
    return hold;
}

/* Dispatch routines. */

static BOOLEAN FlGone(PFLOPPY_EXTENSION extension)
{
    return extension->PnpState == Removed || extension->PnpState == SurpriseRemoved;
}

/* Count a request and send it to the worker, or hold it. */
static NTSTATUS FlSubmit(PFLOPPY_EXTENSION extension, PIRP irp)
{
    FlReference(extension);
    if (FlGone(extension))
        return FlFinish(extension, irp, STATUS_NO_SUCH_DEVICE, 0);
    if (FlMustHold(extension))
        return FlHoldRequest(extension, irp);
    if (extension->PnpState == NotStarted)
        return FlFinish(extension, irp, STATUS_DEVICE_NOT_READY, 0);
    return FlStartRequest(extension, irp);
}

static NTSTATUS FlCreate(PDEVICE_OBJECT device, PIRP irp)
{
    PFLOPPY_EXTENSION extension = device->DeviceExtension;

    if (FlGone(extension))
        return FlComplete(irp, STATUS_NO_SUCH_DEVICE, 0);
    if (extension->PnpState == RemovePending)
        return FlComplete(irp, STATUS_DELETE_PENDING, 0);
    InterlockedIncrement(&extension->OpenCount);
    return FlComplete(irp, STATUS_SUCCESS, 0);
}

static NTSTATUS FlClose(PDEVICE_OBJECT device, PIRP irp)
{
    PFLOPPY_EXTENSION extension = device->DeviceExtension;

    if (extension->OpenCount > 0)
        InterlockedDecrement(&extension->OpenCount);
    return FlComplete(irp, STATUS_SUCCESS, 0);
}

static NTSTATUS FlCleanup(PDEVICE_OBJECT device, PIRP irp)
{
    PFLOPPY_EXTENSION extension = device->DeviceExtension;

    FlFailRequests(extension, STATUS_CANCELLED);
    return FlComplete(irp, STATUS_SUCCESS, 0);
}

static NTSTATUS FlReadWrite(PDEVICE_OBJECT device, PIRP irp)
{
    PFLOPPY_EXTENSION extension = device->DeviceExtension;
    PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);

    if (stack->Parameters.Read.Length == 0)
        return FlComplete(irp, STATUS_SUCCESS, 0);
    if (stack->Parameters.Read.Length % SECTOR_SIZE != 0 || stack->Parameters.Read.Offset % SECTOR_SIZE != 0)
        return FlComplete(irp, STATUS_INVALID_PARAMETER, 0);
    return FlSubmit(extension, irp);
}

static NTSTATUS FlGetMediaTypes(PFLOPPY_EXTENSION extension, PIRP irp, ULONG room)
{
    ULONG used = 0;
    int media;

    for (media = Media160; media < MediaCount; media++) {
        if (!FlDriveTakes(extension->DriveType, media))
            continue;
        if (used + 4 > room)
            return FlComplete(irp, STATUS_BUFFER_OVERFLOW, used);
        irp->SystemBuffer[used] = (UCHAR)media;
        irp->SystemBuffer[used + 1] = MediaTable[media].Cylinders;
        irp->SystemBuffer[used + 2] = MediaTable[media].Heads;
        irp->SystemBuffer[used + 3] = MediaTable[media].Sectors;
        used += 4;
    }
    return FlComplete(irp, STATUS_SUCCESS, used);
}

static NTSTATUS FlGetErrors(PFLOPPY_EXTENSION extension, PIRP irp, ULONG room)
{
    if (room < 7)
        return FlComplete(irp, STATUS_BUFFER_TOO_SMALL, 0);
    irp->SystemBuffer[0] = (UCHAR)extension->Errors.NotReady;
    irp->SystemBuffer[1] = (UCHAR)extension->Errors.Crc;
    irp->SystemBuffer[2] = (UCHAR)extension->Errors.Overrun;
    irp->SystemBuffer[3] = (UCHAR)extension->Errors.Seek;
    irp->SystemBuffer[4] = (UCHAR)extension->Errors.NoData;
    irp->SystemBuffer[5] = (UCHAR)extension->Errors.WriteProtected;
    irp->SystemBuffer[6] = (UCHAR)extension->Errors.Controller;
    return FlComplete(irp, STATUS_SUCCESS, 7);
}

static VOID FlResetErrors(PFLOPPY_EXTENSION extension)
{
    extension->Errors.NotReady = 0;
    extension->Errors.Crc = 0;
    extension->Errors.Overrun = 0;
    extension->Errors.Seek = 0;
    extension->Errors.NoData = 0;
    extension->Errors.WriteProtected = 0;
    extension->Errors.Controller = 0;
}

static NTSTATUS FlSetDensity(PFLOPPY_EXTENSION extension, PIRP irp, ULONG given)
{
    UCHAR media;

    if (given < 1)
        return FlComplete(irp, STATUS_INVALID_PARAMETER, 0);
    media = irp->SystemBuffer[0];
    if (media >= MediaCount || !FlDriveTakes(extension->DriveType, media))
        return FlComplete(irp, STATUS_INVALID_PARAMETER, 0);
    if (extension->CurrentRequest != NULL)
        return FlComplete(irp, STATUS_DEVICE_BUSY, 0);
    FlUseMedia(extension, media);
    return FlComplete(irp, STATUS_SUCCESS, 0);
}

static NTSTATUS FlSetRetries(PFLOPPY_EXTENSION extension, PIRP irp, ULONG given)
{
    if (given < 1 || irp->SystemBuffer[0] > MAX_RETRIES)
        return FlComplete(irp, STATUS_INVALID_PARAMETER, 0);
    extension->Retries = irp->SystemBuffer[0];
    return FlComplete(irp, STATUS_SUCCESS, 0);
}

static NTSTATUS FlDeviceControl(PDEVICE_OBJECT device, PIRP irp)
{
    PFLOPPY_EXTENSION extension = device->DeviceExtension;
    PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);
    ULONG given = stack->Parameters.DeviceIoControl.InputBufferLength;
    ULONG room = stack->Parameters.DeviceIoControl.OutputBufferLength;

    switch (stack->Parameters.DeviceIoControl.IoControlCode) {
    case IOCTL_FORMAT_TRACKS:
        if (given < 5)
            return FlComplete(irp, STATUS_INVALID_PARAMETER, 0);
        return FlSubmit(extension, irp);
    case IOCTL_READ_ID:
        if (room < 4)
            return FlComplete(irp, STATUS_BUFFER_TOO_SMALL, 0);
        return FlSubmit(extension, irp);
    case IOCTL_CHECK_VERIFY:
    case IOCTL_GET_GEOMETRY:
    case IOCTL_IS_WRITABLE:
    case IOCTL_SENSE_DEVICE:
        return FlSubmit(extension, irp);
    case IOCTL_GET_MEDIA_TYPES:
        return FlGetMediaTypes(extension, irp, room);
    case IOCTL_MOTOR_ON:
        if (FlGone(extension))
            return FlComplete(irp, STATUS_NO_SUCH_DEVICE, 0);
        FlMotorOn(extension);
        return FlComplete(irp, STATUS_SUCCESS, 0);
    case IOCTL_MOTOR_OFF:
        if (extension->CurrentRequest != NULL)
            return FlComplete(irp, STATUS_DEVICE_BUSY, 0);
        FlMotorOff(extension);
        return FlComplete(irp, STATUS_SUCCESS, 0);
    case IOCTL_GET_ERRORS:
        return FlGetErrors(extension, irp, room);
    case IOCTL_RESET_ERRORS:
        FlResetErrors(extension);
        return FlComplete(irp, STATUS_SUCCESS, 0);
    case IOCTL_SET_DENSITY:
        return FlSetDensity(extension, irp, given);
    case IOCTL_SET_RETRIES:
        return FlSetRetries(extension, irp, given);
    case IOCTL_EJECT:
        return FlSendDown(extension, irp);
    default:
        return FlComplete(irp, STATUS_INVALID_DEVICE_REQUEST, 0);
    }
}

static BOOLEAN FlInterrupt(PVOID context)
{
    PFLOPPY_EXTENSION extension = context;

    if ((READ_PORT_UCHAR(extension->Controller.Status) & STATUS_REGISTER_BUSY) == 0)
        return FALSE;
    extension->Controller.InterruptPending = TRUE;
    return TRUE;
}

/* Power. */

static NTSTATUS FlPowerUpDone(PDEVICE_OBJECT device, PIRP irp, PVOID context)
{
    PFLOPPY_EXTENSION extension = context;

    if (irp->PendingReturned)
        IoMarkIrpPending(irp);
    if (NT_SUCCESS(irp->IoStatus.Status)) {
        extension->PowerState = 1;
        extension->Controller.Configured = FALSE;
        extension->CylinderKnown = FALSE;
        extension->VerifyRequired = TRUE;
    }
    return STATUS_SUCCESS;
}

static NTSTATUS FlPower(PDEVICE_OBJECT device, PIRP irp)
{
    PFLOPPY_EXTENSION extension = device->DeviceExtension;
    PIO_STACK_LOCATION stack = IoGetCurrentIrpStackLocation(irp);

    if (stack->MinorFunction == IRP_MN_QUERY_POWER) {
        if (stack->Parameters.Power.State > 1 && extension->CurrentRequest != NULL)
            return FlComplete(irp, STATUS_DEVICE_BUSY, 0);
        return FlSendDown(extension, irp);
    }
    if (stack->MinorFunction != IRP_MN_SET_POWER || stack->Parameters.Power.Type != 1)
        return FlSendDown(extension, irp);
    if (stack->Parameters.Power.State == 1 && extension->PowerState != 1) {
        IoCopyCurrentIrpStackLocationToNext(irp);
        IoSetCompletionRoutine(irp, FlPowerUpDone, extension, TRUE, TRUE, TRUE);
        return IoCallDriver(extension->Lower, irp);
    }
    if (stack->Parameters.Power.State > 1 && extension->PowerState == 1) {
        FlMotorOff(extension);
        extension->PowerState = stack->Parameters.Power.State;
    }
    return FlSendDown(extension, irp);
}

/* Plug and play. */

static NTSTATUS FlFindDrive(PFLOPPY_EXTENSION extension)
{
    switch (READ_PORT_UCHAR(extension->Controller.DigitalInput) & 7) {
    case 1:
        extension->DriveType = Drive360;
        break;
    case 2:
        extension->DriveType = Drive1200;
        break;
    case 3:
        extension->DriveType = Drive720;
        break;
    case 4:
        extension->DriveType = Drive1440;
        break;
    case 5:
        extension->DriveType = Drive2880;
        break;
    default:
        extension->DriveType = DriveUnknown;
        return STATUS_NO_SUCH_DEVICE;
    }
    return STATUS_SUCCESS;
}

static NTSTATUS FlStartDevice(PFLOPPY_EXTENSION extension, PIRP irp)
{
    NTSTATUS status = FlSendDownAndWait(extension, irp);

    if (!NT_SUCCESS(status))
        return FlComplete(irp, status, 0);
    status = FlFindDrive(extension);
    if (!NT_SUCCESS(status))
        return FlComplete(irp, status, 0);
    if (!extension->Interrupt.Connected) {
        status = IoConnectInterrupt(&extension->Interrupt, FlInterrupt, extension);
        if (!NT_SUCCESS(status))
            return FlComplete(irp, status, 0);
    }
    extension->Controller.Configured = FALSE;
    extension->CylinderKnown = FALSE;
    FlUseMedia(extension, MediaUnknown);
    extension->PnpState = Started;
    FlProcessHeldRequests(extension);
    return FlComplete(irp, STATUS_SUCCESS, 0);
}

static NTSTATUS FlQueryStop(PFLOPPY_EXTENSION extension, PIRP irp, PNP_STATE next)
{
    NTSTATUS status;

    if (extension->PnpState != Started)
        return FlSendDown(extension, irp);
    if (next == RemovePending && extension->OpenCount > 0)
        return FlComplete(irp, STATUS_DEVICE_BUSY, 0);
    FlHoldNewRequests(extension);
    extension->PreviousState = extension->PnpState;
    extension->PnpState = next;
    status = FlSendDownAndWait(extension, irp);
    if (!NT_SUCCESS(status)) {
        extension->PnpState = extension->PreviousState;
        FlProcessHeldRequests(extension);
    }
    return FlComplete(irp, status, 0);
}

static NTSTATUS FlCancelStop(PFLOPPY_EXTENSION extension, PIRP irp, PNP_STATE pending)
{
    NTSTATUS status = FlSendDownAndWait(extension, irp);

    if (extension->PnpState == pending) {
        extension->PnpState = Started;
        FlProcessHeldRequests(extension);
    }
    return FlComplete(irp, NT_SUCCESS(status) ? STATUS_SUCCESS : status, 0);
}

static NTSTATUS FlStopDevice(PFLOPPY_EXTENSION extension, PIRP irp)
{
    if (extension->PnpState == StopPending || extension->PnpState == Started) {
        FlMotorOff(extension);
        extension->PnpState = Stopped;
        FlHoldNewRequests(extension);
    }
    irp->IoStatus.Status = STATUS_SUCCESS;
    return FlSendDown(extension, irp);
}

static VOID FlShutDown(PFLOPPY_EXTENSION extension)
{
    FlMotorOff(extension);
    FlProcessHeldRequests(extension);
    FlFailRequests(extension, STATUS_NO_SUCH_DEVICE);
    if (extension->Interrupt.Connected)
        IoDisconnectInterrupt(&extension->Interrupt);
}

static NTSTATUS FlRemoveDevice(PDEVICE_OBJECT device, PIRP irp)
{
    PFLOPPY_EXTENSION extension = device->DeviceExtension;
    NTSTATUS status;

    extension->PnpState = Removed;
    FlShutDown(extension);
    status = FlSendDownAndWait(extension, irp);
    FlDereference(extension);
    KeWaitForSingleObject(&extension->RemoveEvent);
    IoDetachDevice(extension->Lower);
    IoDeleteDevice(device);
    return FlComplete(irp, status, 0);
}

static NTSTATUS FlPnp(PDEVICE_OBJECT device, PIRP irp)
{
    PFLOPPY_EXTENSION extension = device->DeviceExtension;

    switch (IoGetCurrentIrpStackLocation(irp)->MinorFunction) {
    case IRP_MN_START_DEVICE:
        return FlStartDevice(extension, irp);
    case IRP_MN_QUERY_STOP_DEVICE:
        return FlQueryStop(extension, irp, StopPending);
    case IRP_MN_QUERY_REMOVE_DEVICE:
        return FlQueryStop(extension, irp, RemovePending);
    case IRP_MN_CANCEL_STOP_DEVICE:
        return FlCancelStop(extension, irp, StopPending);
    case IRP_MN_CANCEL_REMOVE_DEVICE:
        return FlCancelStop(extension, irp, RemovePending);
    case IRP_MN_STOP_DEVICE:
        return FlStopDevice(extension, irp);
    case IRP_MN_SURPRISE_REMOVAL:
        extension->PnpState = SurpriseRemoved;
        FlShutDown(extension);
        irp->IoStatus.Status = STATUS_SUCCESS;
        return FlSendDown(extension, irp);
    case IRP_MN_REMOVE_DEVICE:
        return FlRemoveDevice(device, irp);
    default:
        return FlSendDown(extension, irp);
    }
}

static NTSTATUS FlSystemControl(PDEVICE_OBJECT device, PIRP irp)
{
    return FlSendDown(device->DeviceExtension, irp);
}

static NTSTATUS FlUnexpected(PDEVICE_OBJECT device, PIRP irp)
{
    return FlComplete(irp, STATUS_INVALID_DEVICE_REQUEST, 0);
}

/* Loading. */

static VOID FlInitialize(PFLOPPY_EXTENSION extension)
{
    extension->PnpState = NotStarted;
    extension->PreviousState = NotStarted;
    extension->PowerState = 1;
    extension->Outstanding = 1;
    extension->OpenCount = 0;
    extension->CurrentRequest = NULL;
    extension->RequestsDone = 0;
    extension->Hold = FALSE;
    extension->HeldRequests = 0;
    extension->Motor = MotorOff;
    extension->DriveType = DriveUnknown;
    extension->WriteProtected = FALSE;
    extension->DiskChanged = FALSE;
    extension->VerifyRequired = FALSE;
    extension->Unit = 0;
    extension->Cylinder = 0;
    extension->CylinderKnown = FALSE;
    extension->Retries = 3;
    extension->Interrupt.Connected = FALSE;
    extension->Controller.Status = NULL;
    extension->Controller.Data = NULL;
    extension->Controller.DigitalOutput = NULL;
    extension->Controller.DigitalInput = NULL;
    extension->Controller.DataRate = NULL;
    extension->Controller.ResultCount = 0;
    extension->Controller.Configured = FALSE;
    extension->Controller.Failed = FALSE;
    extension->Controller.InterruptPending = FALSE;
    extension->Controller.Resets = 0;
    FlUseMedia(extension, MediaUnknown);
    FlResetErrors(extension);
    KeInitializeSpinLock(&extension->RequestLock);
    KeInitializeSpinLock(&extension->HoldLock);
    KeInitializeSpinLock(&extension->MotorLock);
    InitializeListHead(&extension->RequestQueue);
    InitializeListHead(&extension->HoldQueue);
    KeInitializeEvent(&extension->RemoveEvent, 0, FALSE);
    KeInitializeTimer(&extension->MotorTimer);
    KeInitializeDpc(&extension->MotorDpc, FlMotorDpc, extension);
    KeInitializeDpc(&extension->WorkerDpc, FlWorkerDpc, extension);
}

static NTSTATUS FlAddDevice(PDRIVER_OBJECT driver, PDEVICE_OBJECT physical)
{
    PDEVICE_OBJECT device;
    PFLOPPY_EXTENSION extension;
    NTSTATUS status = IoCreateDevice(driver, sizeof(FLOPPY_EXTENSION), &device);

    if (!NT_SUCCESS(status))
        return status;
    extension = device->DeviceExtension;
    extension->Self = device;
    extension->Lower = IoAttachDeviceToDeviceStack(device, physical);
    if (extension->Lower == NULL) {
        IoDeleteDevice(device);
        return STATUS_NO_SUCH_DEVICE;
    }
    FlInitialize(extension);
    return STATUS_SUCCESS;
}

static NTSTATUS FlDriverEntry(PDRIVER_OBJECT driver)
{
    int i;
    for (i = 0; i < IRP_MJ_COUNT; i++)
        driver->MajorFunction[i] = FlUnexpected;
    driver->MajorFunction[IRP_MJ_CREATE] = FlCreate;
    driver->MajorFunction[IRP_MJ_CLOSE] = FlClose;
    driver->MajorFunction[IRP_MJ_CLEANUP] = FlCleanup;
    driver->MajorFunction[IRP_MJ_READ] = FlReadWrite;
    driver->MajorFunction[IRP_MJ_WRITE] = FlReadWrite;
    driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = FlDeviceControl;
    driver->MajorFunction[IRP_MJ_POWER] = FlPower;
    driver->MajorFunction[IRP_MJ_PNP] = FlPnp;
    driver->MajorFunction[IRP_MJ_SYSTEM_CONTROL] = FlSystemControl;
    driver->AddDevice = FlAddDevice;
    return STATUS_SUCCESS;
}

/* The harness: every routine by name. */

static NTSTATUS RunDispatch(PDEVICE_OBJECT device, PIRP irp)
{
    switch (IoGetCurrentIrpStackLocation(irp)->MajorFunction) {
    case IRP_MJ_CREATE:
        return FlCreate(device, irp);
    case IRP_MJ_CLOSE:
        return FlClose(device, irp);
    case IRP_MJ_CLEANUP:
        return FlCleanup(device, irp);
    case IRP_MJ_READ:
    case IRP_MJ_WRITE:
        return FlReadWrite(device, irp);
    case IRP_MJ_DEVICE_CONTROL:
        return FlDeviceControl(device, irp);
    case IRP_MJ_POWER:
        return FlPower(device, irp);
    case IRP_MJ_PNP:
        return FlPnp(device, irp);
    case IRP_MJ_SYSTEM_CONTROL:
        return FlSystemControl(device, irp);
    default:
        return FlUnexpected(device, irp);
    }
}

static VOID RunCancel(PDEVICE_OBJECT device, PIRP irp)
{
    PDRIVER_CANCEL routine;

    IoAcquireCancelSpinLock(&irp->CancelIrql);
    irp->Cancel = TRUE;
    routine = IoSetCancelRoutine(irp, NULL);
    if (routine == FlCancelRequest)
        FlCancelRequest(device, irp);
    else if (routine == FlCancelHeldRequest)
        FlCancelHeldRequest(device, irp);
    else
        IoReleaseCancelSpinLock(irp->CancelIrql);
}

static VOID RunDpc(PDEVICE_OBJECT device)
{
    PFLOPPY_EXTENSION extension = device->DeviceExtension;

    if (__VERIFIER_nondet_bool())
        FlMotorDpc(&extension->MotorDpc, extension, NULL, NULL);
    else
        FlWorkerDpc(&extension->WorkerDpc, extension, NULL, NULL);
}

static VOID RunCompletion(PDEVICE_OBJECT device, PIRP irp)
{
    if (__VERIFIER_nondet_bool())
        FlSyncDone(device, irp, &ModelEvent);
    else
        FlPowerUpDone(device, irp, device->DeviceExtension);
}

static VOID RunInterrupt(PDEVICE_OBJECT device)
{
    PFLOPPY_EXTENSION extension = device->DeviceExtension;

    if (extension->Interrupt.Connected)
        FlInterrupt(extension);
}

int main(void)
{
    static DRIVER_OBJECT driver;
    static DEVICE_OBJECT physical;

    if (NT_SUCCESS(FlDriverEntry(&driver)) && NT_SUCCESS(FlAddDevice(&driver, &physical)))
        RunDevice(driver.DeviceObject);
    return 0;
}
