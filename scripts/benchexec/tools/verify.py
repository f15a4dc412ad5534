"""BenchExec's view of verify: how it is called, and what its answer means.

BenchExec looks for this module by its name: put scripts/benchexec on PYTHONPATH and say tool="tools.verify" in the definition
of a benchmark.
"""

from benchexec import result
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task
from benchexec.tools.template import BaseTool2, ToolNotFoundException

ANSWER = "SV-COMP result: "

# What BenchExec takes away at the limit is not there for an answer: stop a little earlier.
SECONDS_TO_ANSWER = 3
PART_OF_MEMORY = 0.95


class Tool(BaseTool2):
    """verify: explores every schedule of a C program with threads."""

    def executable(self, tool_locator):
        try:
            return tool_locator.find_executable("verify", subdir="bin")
        except ToolNotFoundException:
            # Not an archive, but the directory in which it was built.
            return tool_locator.find_executable("verify", subdir="target/release")

    def name(self):
        return "verify"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="verify ")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "svcomp", *options]
        if task.property_file:
            command += ["--property", task.property_file]
        model = get_data_model_from_task(task, {ILP32: "ILP32", LP64: "LP64"})
        if model:
            command += ["--data-model", model]
        if rlimits.cputime and rlimits.cputime > SECONDS_TO_ANSWER:
            command += ["--cpu-limit", f"{int(rlimits.cputime - SECONDS_TO_ANSWER)}s"]
        if rlimits.walltime and rlimits.walltime > SECONDS_TO_ANSWER:
            command += ["--time-limit", f"{int(rlimits.walltime - SECONDS_TO_ANSWER)}s"]
        if rlimits.memory:
            command += ["--memory-limit", str(int(rlimits.memory * PART_OF_MEMORY))]
        return [*command, *task.input_files_or_identifier]

    def determine_result(self, run):
        for line in reversed(list(run.output)):
            if line.startswith(ANSWER):
                answer = line[len(ANSWER) :].strip()
                return result.RESULT_UNKNOWN if answer == "unknown" else answer
        if run.was_timeout:
            return "TIMEOUT"
        if run.termination_reason == "memory":
            return "OUT OF MEMORY"
        return result.RESULT_ERROR
