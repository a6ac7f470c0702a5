int isdigit(int character) {
  return character >= '0' && character <= '9' ? 2048 : 0;
}

int islower(int character) {
  return character >= 'a' && character <= 'z' ? 512 : 0;
}

int isupper(int character) {
  return character >= 'A' && character <= 'Z' ? 256 : 0;
}

int isalpha(int character) {
  return islower(character) || isupper(character) ? 1024 : 0;
}

int isalnum(int character) {
  return isalpha(character) || isdigit(character) ? 8 : 0;
}

int isascii(int character) {
  return character >= 0 && character <= 127;
}

int isblank(int character) {
  return character == ' ' || character == '\t';
}

int iscntrl(int character) {
  return (character >= 0 && character < 32) || character == 127 ? 2 : 0;
}

int isgraph(int character) {
  return character > 32 && character < 127 ? 32768 : 0;
}

int isprint(int character) {
  return character >= 32 && character < 127 ? 16384 : 0;
}

int ispunct(int character) {
  return isgraph(character) && !isalnum(character) ? 4 : 0;
}

int isspace(int character) {
  return character == ' ' || (character >= '\t' && character <= '\r') ? 8192 : 0;
}

int isxdigit(int character) {
  return isdigit(character) || (character >= 'a' && character <= 'f') || (character >= 'A' && character <= 'F') ? 4096 : 0;
}

int toascii(int character) {
  return character & 127;
}

int tolower(int character) {
  return isupper(character) ? character + ('a' - 'A') : character;
}

int toupper(int character) {
  return islower(character) ? character - ('a' - 'A') : character;
}
