// Where a program that counts what runs says what it counts. Without the compiler's own run-time library, which Emscripten does not have, the counters
// stay in memory: write.mjs finds them there by the words below. Names and arguments are LLVM's (compiler-rt/lib/profile).

enum { most_functions = 1 << 17, most_texts = 1 << 12 };

struct names {
  const void* text;
  unsigned long long size;
};

static void* functions[most_functions];
static struct names texts[most_texts];

struct {
  char words[24];
  void** functions;
  int function_count;
  struct names* texts;
  int text_count;
} plimsoll_counters = {"WHAT-RUNS-IS-COUNTED-BY", functions, 0, texts, 0};

int __llvm_profile_runtime = 0;

void __llvm_profile_register_function(void* data) {
  if (plimsoll_counters.function_count == most_functions) __builtin_trap();
  functions[plimsoll_counters.function_count++] = data;
}

void __llvm_profile_register_names_function(void* text, unsigned long long size) {
  if (plimsoll_counters.text_count == most_texts) __builtin_trap();
  texts[plimsoll_counters.text_count++] = (struct names){text, size};
}
