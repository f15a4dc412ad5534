// `main` may be called with any arguments, also with six. Found by nobody who tries one number only.
#include "../verifier.h"

int main(int argc, char **argv) { check(argc != 6); }
