#include <getopt.h>

char *optarg;

int optind = 1;

int opterr = 1;

int optopt = '?';

char *__pincer_option_rest;

int __pincer_option_letter;

int getopt(int count, char *const *arguments, const char *options) {
  optarg = 0;
  optopt = __pincer_option_letter;
  if (optind == 0) {
    optind = 1;
    __pincer_option_rest = 0;
  }
  if (__pincer_option_rest == 0 || *__pincer_option_rest == 0) {
    if (optind >= count || arguments[optind] == 0)
      return -1;
    if (arguments[optind][0] != '-' || arguments[optind][1] == 0) {
      if (*options == '-')
        __pincer_unsupported("arguments among options, for getopt");
      for (int i = optind + 1; *options != '+' && i < count; i++) {
        if (arguments[i][0] == '-' && arguments[i][1] != 0)
          __pincer_unsupported("options behind other arguments, which getopt moves to the front");
      }
      return -1;
    }
    if (arguments[optind][1] == '-' && arguments[optind][2] == 0) {
      optind++;
      return -1;
    }
    __pincer_option_rest = arguments[optind] + 1;
  }
  const char *known = *options == '+' || *options == '-' ? options + 1 : options;
  const char *silent = known;
  int letter = (unsigned char)*__pincer_option_rest;
  __pincer_option_rest++;
  const char *found = letter == ':' || letter == ';' ? 0 : strchr(known, letter);
  if (*__pincer_option_rest == 0)
    optind++;
  if (found == 0) {
    optopt = __pincer_option_letter = letter;
    return '?';
  }
  if (found[1] != ':')
    return letter;
  if (*__pincer_option_rest != 0) {
    optarg = __pincer_option_rest;
    optind++;
  } else if (found[2] != ':') {
    if (optind >= count) {
      optopt = __pincer_option_letter = letter;
      __pincer_option_rest = 0;
      return *silent == ':' ? ':' : '?';
    }
    optarg = arguments[optind];
    optind++;
  }
  __pincer_option_rest = 0;
  return letter;
}
