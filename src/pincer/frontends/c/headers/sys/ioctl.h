#ifndef _SYS_IOCTL_H
#define _SYS_IOCTL_H
struct winsize {
  unsigned short ws_row;
  unsigned short ws_col;
  unsigned short ws_xpixel;
  unsigned short ws_ypixel;
};
#define TCGETS 21505
#define TCSETS 21506
#define TCSETSW 21507
#define TCSETSF 21508
#define TCSBRK 21513
#define TCXONC 21514
#define TCFLSH 21515
#define TIOCEXCL 21516
#define TIOCNXCL 21517
#define TIOCSCTTY 21518
#define TIOCGPGRP 21519
#define TIOCSPGRP 21520
#define TIOCOUTQ 21521
#define TIOCSTI 21522
#define TIOCGWINSZ 21523
#define TIOCSWINSZ 21524
#define TIOCMGET 21525
#define TIOCMBIS 21526
#define TIOCMBIC 21527
#define TIOCMSET 21528
#define FIONREAD 21531
#define TIOCINQ 21531
#define TIOCCONS 21533
#define TIOCPKT 21536
#define FIONBIO 21537
#define TIOCNOTTY 21538
#define TIOCGSID 21545
#define FIOCLEX 21585
#define FIONCLEX 21584
#define FIOASYNC 21586
#define SIOCGIFNAME 35088
#define SIOCGIFCONF 35090
#define SIOCGIFFLAGS 35091
#define SIOCSIFFLAGS 35092
#define SIOCGIFADDR 35093
#define SIOCSIFADDR 35094
#define SIOCGIFBRDADDR 35097
#define SIOCGIFNETMASK 35099
#define SIOCGIFMTU 35105
#define SIOCSIFMTU 35106
#define SIOCGIFHWADDR 35111
#define SIOCGIFINDEX 35123
#define _IOC_NONE 0U
#define _IOC_WRITE 1U
#define _IOC_READ 2U
#define _IOC(direction, type, number, size) (((direction) << 30) | ((type) << 8) | (number) | ((size) << 16))
#define _IO(type, number) _IOC(_IOC_NONE, (type), (number), 0)
#define _IOR(type, number, argument) _IOC(_IOC_READ, (type), (number), sizeof(argument))
#define _IOW(type, number, argument) _IOC(_IOC_WRITE, (type), (number), sizeof(argument))
#define _IOWR(type, number, argument) _IOC(_IOC_READ | _IOC_WRITE, (type), (number), sizeof(argument))
int ioctl(int, unsigned long, ...);
#endif
