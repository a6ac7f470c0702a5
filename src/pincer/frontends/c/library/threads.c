_Thread_local void *__pincer_key_values[16];

int __pincer_key_count;

int __pincer_new_key(unsigned int *key) {
  int number = __atomic_fetch_add(&__pincer_key_count, 1, 5);
  if (number >= 16)
    __pincer_unsupported("more than 16 keys of thread-specific data");
  *key = (unsigned int)number;
  return 0;
}

int pthread_key_create(unsigned int *key, void (*destructor)(void *)) {
  return __pincer_new_key(key);
}

int pthread_key_delete(unsigned int key) {
  return key < 16 ? 0 : 22;
}

int pthread_setspecific(unsigned int key, const void *value) {
  if (key >= 16)
    return 22;
  __pincer_key_values[key] = (void *)value;
  return 0;
}

void *pthread_getspecific(unsigned int key) {
  return key < 16 ? __pincer_key_values[key] : 0;
}

int tss_create(unsigned int *key, void (*destructor)(void *)) {
  return __pincer_new_key(key);
}

void tss_delete(unsigned int key) {
}

int tss_set(unsigned int key, void *value) {
  return pthread_setspecific(key, value) == 0 ? 0 : 2;
}

void *tss_get(unsigned int key) {
  return pthread_getspecific(key);
}

int thrd_join(unsigned long thread, int *result) {
  void *value = 0;
  if (__pincer_join(thread, &value) != 0)
    return 2;
  if (result != 0)
    *result = (int)(long)value;
  return 0;
}

int thrd_sleep(const struct timespec *duration, struct timespec *remaining) {
  return 0;
}
