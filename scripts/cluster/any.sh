#!/bin/sh
# Explores a program with N processes and plain shell: the example for a site's own scheduler, in whose jobs the line
# marked (*) goes (with DIR on a file system that all machines see). `verify` must be the same everywhere.
#
#   any.sh N DIR PROG.c [OPTIONS OF verify coordinate…]      with --resume among them, it goes on from DIR
#   e.g. (*) with Slurm:  sbatch --wait --mem=2G --wrap "verify work …"
set -u
verify=${VERIFY:-verify} n=$1 dir=$2
shift 2
rm -rf "$dir/taken" && mkdir -p "$dir/taken"
"$verify" coordinate --dir "$dir" --tasks "$n" "$@" &  # never has more than N jobs open
coordinator=$!
trap 'kill -INT $coordinator' INT TERM
while kill -0 $coordinator 2>/dev/null; do
  for job in "$dir"/jobs/*.job; do
    name=$(basename "$job" .job)
    [ -e "$job" ] && [ ! -e "$dir/results/$name.out" ] && mkdir "$dir/taken/$name" 2>/dev/null || continue
    {
      "$verify" work --program "$dir/program" --job "$job" --out "$dir/results/$name.out"  # (*)
      case $? in
        0) ;;
        2) kill -INT $coordinator ;;               # another version: no use in trying again
        *) sleep 1; rmdir "$dir/taken/$name" ;;    # the next round tries again
      esac
    } &
  done
  sleep 0.1
done
wait $coordinator
