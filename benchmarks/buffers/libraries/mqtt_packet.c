// coreMQTT: the kind and the length of the packet that N bytes begin with.
// @sizes 1 16
// @broken 4
// @folder coreMQTT/source/include
// @folder coreMQTT/source/include/private
// @folder coreMQTT/source/interface
#define MQTT_DO_NOT_USE_CUSTOM_CONFIG
#include "coreMQTT/source/core_mqtt_serializer_private.c"
#include "coreMQTT/source/core_mqtt_serializer.c"
#include "symbolic.h"

struct NetworkContext {
    unsigned char bytes[N];
    size_t used;
};

static int32_t receive(NetworkContext_t *network, void *buffer, size_t wanted)
{
    size_t count = 0;
    while (count < wanted && network->used < N)
        ((unsigned char *)buffer)[count++] = network->bytes[network->used++];
    return (int32_t)count;
}

int main(void)
{
    struct NetworkContext network = {.used = 0};
    symbolic_bytes(network.bytes, N);
    MQTTPacketInfo_t packet = {0};
    MQTTStatus_t status = MQTT_GetIncomingPacketTypeAndLength(receive, &network, &packet);
#ifdef BROKEN
    assert(status != MQTTSuccess || packet.remainingLength < 128);
#else
    assert(status != MQTTSuccess || packet.remainingLength < 268435456);
    assert(network.used <= 5);
#endif
    return 0;
}
