// Scripts: which words a shell would start a program with, what stays open, and what launchers are taken off.
#include "files/scripts/launch.hpp"
#include "files/scripts/marks.hpp"
#include "files/scripts/run.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace plimsoll::io;

namespace {

struct Row {
  std::string script, words;
};

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : "|") + scripts::shown(words[i]);
  return text;
}

/// The words of the one command that is left, without its name.
std::string words_of(const std::string& text, const std::vector<scripts::Setting>& given = {}) {
  const scripts::Script script = scripts::follow(text, given);
  REQUIRE(script.commands.size() == 1);
  const std::vector<std::string>& words = script.commands[0].words;
  return joined({words.begin() + 1, words.end()});
}

scripts::Launch launch(const std::string& text) {
  const scripts::Script script = scripts::follow(text);
  REQUIRE(script.commands.size() == 1);
  return scripts::launch_of(script.commands[0]);
}

} // namespace

TEST_CASE("words are those that bash 5.2 starts the program with") {
  // each was run by bash, with a function `program` that prints its arguments
  const std::vector<Row> rows{
    Row{R"sh(A=1; program $A "${A}" '$A')sh", R"sh(1|1|$A)sh"},
    Row{R"sh(A="x y"; program $A "$A")sh", R"sh(x|y|x y)sh"},
    Row{R"sh(unset B; program ${B:-4} ${B-5} "${B:-a b}" ${B:-a b})sh", R"sh(4|5|a b|a|b)sh"},
    Row{R"sh(B=; program ${B:-4} "${B-5}" ${B:+set}x)sh", R"sh(4||x)sh"},
    Row{R"sh(program ${C:=7} $C)sh", R"sh(7|7)sh"},
    Row{R"sh(TP=4; PP=2; program $((TP*PP)) $(( $TP + 2*3 )) $((8/3)) $((7%4)) $((2**5)) $((TP>2?10:20)) $(((TP+PP)*2)))sh", R"sh(8|10|2|3|32|10|12)sh"},
    Row{R"sh(ARGS=(--a 1 "b c"); program "${ARGS[@]}" ${#ARGS[@]})sh", R"sh(--a|1|b c|3)sh"},
    Row{R"sh(ARGS=(--a 1); ARGS+=(--d "${ARGS[1]}"); program ${ARGS[@]})sh", R"sh(--a|1|--d|1)sh"},
    Row{R"sh(ARGS=(
  --num-layers 24 # a comment (with brackets)
  --bf16
)
program ${ARGS[@]})sh", R"sh(--num-layers|24|--bf16)sh"},
    Row{R"sh(NONE=(); program a "${NONE[@]}" b)sh", R"sh(a|b)sh"},
    Row{R"sh(OPTS=" --x 1 \
  --y 2"
OPTS+=" --z"
program $OPTS)sh", R"sh(--x|1|--y|2|--z)sh"},
    Row{R"sh(M=org/Model-7B-Instruct; program ${M##*/} ${M%%/*} ${M%-*} ${M/-/_} ${M//-/_} ${#M} ${M,,} ${M:4:5})sh", R"sh(Model-7B-Instruct|org|org/Model-7B|org/Model_7B-Instruct|org/Model_7B_Instruct|21|org/model-7b-instruct|Model)sh"},
    Row{R"sh(X=1
if [ "$X" -eq 1 ]; then Y=a; elif [ $X = 2 ]; then Y=b; else Y=c; fi
program $Y)sh", R"sh(a)sh"},
    Row{R"sh(unset Z
if [ -z "$Z" ]; then Z=d; fi
if [[ -n "${Q}" && $Z == d ]]; then Z=no; fi
[[ $Z == d* || $Z == x ]] && W=yes || W=no
program $Z $W)sh", R"sh(d|yes)sh"},
    Row{R"sh(case "8b" in 7b|13b) S=1;; 8*) S=2;; *) S=3;; esac
program $S)sh", R"sh(2)sh"},
    Row{R"sh(while [[ $# -gt 0 ]]; do case $1 in --tp) TP="$2"; shift 2;; esac; done
program ${TP:-1})sh", R"sh(1)sh"},
    Row{R"sh(f() { local n=$1; program "$n" ${2:-none}; }
f five)sh", R"sh(five|none)sh"},
    Row{R"sh(X=$(basename /a/b/model.gguf .gguf); Y=`echo one two`; program $X "$Y" $(dirname /a/b/c))sh", R"sh(model|one two|/a/b)sh"},
    Row{R"sh(IFS=',' read -r TP PP SP <<< "8,2,True"; program $TP $PP $SP)sh", R"sh(8|2|True)sh"},
    Row{R"sh(V=NAME; NAME=value; program ${!V})sh", R"sh(value)sh"},
    Row{R"sh(program --a \
  --b=1 'q"r' "s't" "a\"b\$c" x\ y)sh", R"sh(--a|--b=1|q"r|s't|a"b$c|x y)sh"},
    Row{R"sh(A=1 program --x # not a word)sh", R"sh(--x)sh"},
    Row{R"sh(true && program yes)sh", R"sh(yes)sh"},
    Row{R"sh(CMD="program --one"; CMD="$CMD two"; eval $CMD)sh", R"sh(--one|two)sh"},
    Row{R"sh(for i in 5; do program $i; done)sh", R"sh(5)sh"},
    Row{R"sh(N=3; (( N > 2 )) && program big)sh", R"sh(big)sh"},
    Row{R"sh(export A=5 B="6 7"; program $A $B)sh", R"sh(5|6|7)sh"},
    Row{R"sh(X=a; { X=b; }; ! false && program $X)sh", R"sh(b)sh"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.script);
    CHECK(words_of(row.script) == row.words);
  }
}

TEST_CASE("a variable that nothing sets stays open under its name") {
  CHECK(words_of("program --tp $TP --len $((ISL + OSL + 20))") == "--tp|$TP|--len|$ISL$OSL");
  CHECK(words_of("program --tp $TP --len $((ISL + OSL + 20))", {{"TP", "8"}, {"ISL", "1024"}, {"OSL", "512"}}) == "--tp|8|--len|1556");
  CHECK(words_of("TP=2; program --tp $TP", {{"TP", "8"}}) == "--tp|8"); // told by somebody, over the script
  CHECK(words_of("program --max-model-len <n_of_tokens>") == "--max-model-len|$n_of_tokens");
  CHECK(words_of("program $1 ${2:-x}") == "$1|x");
  CHECK(words_of("N=$(nvidia-smi -L | wc -l); program --gpus $N") == "--gpus|$N");
}

TEST_CASE("what a condition does not tell is marked with what decides") {
  const std::string script = "if [ \"$EP_SIZE\" -gt 1 ]; then EP=--enable-expert-parallel; else EP=; fi\nprogram $EP";
  CHECK(words_of(script) == "$EP_SIZE");
  CHECK(words_of(script, {{"EP_SIZE", "8"}}) == "--enable-expert-parallel");
  CHECK(words_of("if [ -f x ]; then A=1; else A=1; fi; program $A") == "1");
  CHECK(words_of("if [ -z \"$MODEL\" ]; then echo missing; exit 1; fi\nprogram $MODEL") == "$MODEL");
  CHECK(words_of("for N in $SIZES; do program --n $N; done") == "--n|$SIZES");
}

TEST_CASE("a loop over words that are known starts a command for each") {
  const scripts::Script script = scripts::follow("LAYOUTS=(\"2,4\" \"4,1\")\nfor EACH in \"${LAYOUTS[@]}\"; do\n  IFS=',' read -r TP PP <<< \"$EACH\"\n  program --tp $TP --pp $PP\ndone\n");
  REQUIRE(script.commands.size() == 2);
  CHECK(script.commands[0].words == std::vector<std::string>{"program", "--tp", "2", "--pp", "4"});
  CHECK(script.commands[1].words == std::vector<std::string>{"program", "--tp", "4", "--pp", "1"});
}

TEST_CASE("here-documents, scripts within words and scripts that are read") {
  const scripts::Script script = scripts::follow("LEN=4096\ncat > work/config.yaml <<EOF\nsequence_len: $LEN\nEOF\nprogram work/config.yaml\n");
  REQUIRE(script.written.size() == 1);
  CHECK(script.written[0].name == "work/config.yaml");
  CHECK(script.written[0].text == "sequence_len: 4096\n");
  CHECK(scripts::follow("cat > x <<'EOF'\n$LEN\nEOF\nprogram").written.at(0).text == "$LEN\n");
  CHECK(joined(scripts::follow("T=2; srun -N 2 bash -c \"program --tp $T\"").commands.at(0).words) == "srun|-N|2|program|--tp|2");
  CHECK(joined(scripts::follow("sbatch <<EOF\n#SBATCH --nodes=4\nprogram --a\nEOF\n").commands.at(0).words) == "program|--a");
  CHECK(joined(scripts::follow("source lib/common.sh; program $TP", {}, {{"common.sh", "TP=4"}}).commands.at(0).words) == "program|4");
  CHECK(scripts::follow("source lib/common.sh; program $TP").missing == std::vector<std::string>{"lib/common.sh"});
  CHECK(words_of("#SBATCH --nodes=2\n#SBATCH --gpus-per-node=8\nprogram $SLURM_NNODES $((SLURM_JOB_NUM_NODES * SLURM_GPUS_PER_NODE))") == "2|16");
}

TEST_CASE("launchers are taken off, with what they say") {
  CHECK(joined(launch("torchrun --standalone --nproc_per_node=8 --nnodes 2 train.py --a").words) == "train.py|--a");
  CHECK(launch("torchrun --standalone --nproc_per_node=8 --nnodes 2 train.py").per_node == "8");
  CHECK(launch("torchrun --standalone --nproc_per_node=8 --nnodes 2 train.py").nodes == "2");
  CHECK(joined(launch("accelerate launch --multi_gpu --config_file z3.yaml --num_processes 4 -m axolotl.cli.train x.yaml").words) == "axolotl.cli.train|x.yaml");
  CHECK(launch("accelerate launch --config_file z3.yaml --num_processes 4 x.py").accelerate_file == "z3.yaml");
  CHECK(launch("accelerate launch --config_file z3.yaml --num_processes 4 x.py").processes == "4");
  CHECK(joined(launch("deepspeed --num_gpus 8 --module openrlhf.cli.train_sft --bf16").words) == "openrlhf.cli.train_sft|--bf16");
  CHECK(joined(launch("srun --ntasks-per-node=8 -N2 -l python -u train.py --x 1").words) == "train.py|--x|1");
  CHECK(joined(launch("mpirun -np 16 --allow-run-as-root -x NCCL_DEBUG python3 train.py").words) == "train.py");
  CHECK(joined(launch("CUDA_VISIBLE_DEVICES=0,1 numactl --interleave=all ./llama-server -m x").words) == "./llama-server|-m|x");
  CHECK(joined(launch("uv run --no-sync python -m torch.distributed.run --nproc-per-node 4 a.py").words) == "a.py");
  CHECK(joined(launch("docker run --gpus all -e A=1 -v /a:/b --rm lmsysorg/sglang:latest python3 -m sglang.launch_server --tp 2").words) == "sglang.launch_server|--tp|2");
  CHECK(launch("docker run --gpus all -e A=1 --rm image program").environment.back() == scripts::Setting{"A", "1"});
  CHECK(joined(launch("(base) me@host:~/x$ ./llama-server -m y").words) == "./llama-server|-m|y");
  CHECK(joined(launch("docker exec -it ollama ollama run llama3.2").words) == "ollama|run|llama3.2");
}

TEST_CASE("hostile scripts end") {
  std::string doubling = "A=x\n";
  for (int i = 0; i < 60; ++i) doubling += "A=$A$A\n";
  CHECK(scripts::follow(doubling + "program $A").commands.size() <= 1);
  CHECK(scripts::follow("f() { f; f; }\nf\n").commands.empty());
  std::string nested;
  for (int i = 0; i < 500; ++i) nested += "if true; then ";
  CHECK(scripts::follow(nested + "program").commands.size() <= 1);
  CHECK(scripts::follow(std::string(5000, '(')).commands.empty());
  CHECK(scripts::follow("program \"$(" + std::string(2000, '$') + "{{{((").commands.size() <= 1);
  CHECK(scripts::follow("cat <<EOF").written.empty());
}
