/* Transfers between accounts, each from one account to the next, with a lock for each account.
   An amount is an input; nothing is moved if it is not positive. FIXED: the account with the lower number comes first. */
#include <pthread.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifndef FIXED
#define FIXED 0
#endif

extern int __VERIFIER_nondet_int(void);

struct account {
  pthread_mutex_t lock;
  int balance;
};

struct account accounts[THREADS];

static void transfer(struct account *from, struct account *to, int amount) {
  struct account *first = from, *second = to;
  if (FIXED && to < from) {
    first = to;
    second = from;
  }
  pthread_mutex_lock(&first->lock);
  pthread_mutex_lock(&second->lock);
  if (from->balance >= amount) {
    from->balance -= amount;
    to->balance += amount;
  }
  pthread_mutex_unlock(&second->lock);
  pthread_mutex_unlock(&first->lock);
}

void *customer(void *number) {
  int me = (int)(long)number;
  int amount = __VERIFIER_nondet_int();
  if (amount > 0 && amount < 100)
    transfer(&accounts[me], &accounts[(me + 1) % THREADS], amount);
  return 0;
}

int main(void) {
  pthread_t all[THREADS];
  for (int i = 0; i < THREADS; i++) {
    pthread_mutex_init(&accounts[i].lock, 0);
    accounts[i].balance = 100;
  }
  for (int i = 0; i < THREADS; i++)
    pthread_create(&all[i], 0, customer, (void *)(long)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(all[i], 0);
  return 0;
}
