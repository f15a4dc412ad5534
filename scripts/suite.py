"""The programs of the test suite, as its harness reads them, for the scripts beside this file."""
import re
from pathlib import Path

top = Path(__file__).resolve().parent.parent


def cases():
    """File, revision, verdict, the words that follow `verify`, the program's own arguments."""
    for path in sorted((top / "testsuite").rglob("*.c")):
        lines = re.findall(r"^//@(?:\[([^\]]*)\])? ([a-z-]+): (.*)$", path.read_text(errors="replace"), re.M)
        keys = {key for _, key, _ in lines}
        if "verdict" not in keys or "part-of" in keys:
            continue
        revisions = next((value.split() for _, key, value in lines if key == "revisions"), [""])
        for revision in revisions:
            def values(wanted):
                return [v for where, key, v in lines if key == wanted and (not where or revision in where.split())]
            own = [v for where, key, v in lines if key == "verdict" and revision in where.split()]
            verdict = (own or values("verdict"))[0].split("(")[0]
            options = " ".join(values("args")).split()
            also = [str(path.parent / name) for name in " ".join(values("also")).split()]
            flags = " ".join(values("cflags")).split()
            order = ["-DORDER=0"] if values("orders") else []
            program = " ".join(values("argv")).split()
            words = [str(path), *also, *options, *(["--cflags", *order, *flags] if order or flags else [])]
            yield path, revision, verdict, words, program


def words_of(words, program):
    """The words with the program's arguments behind them."""
    ends = ["--"] if "--cflags" in words and program else []
    return [*words, *ends, *(["--", *program] if program else [])]
