#!/bin/sh
# Stands in front of rustc: makes our own crate tell the fuzzer where it has been, and leaves all others as they are,
# so that what the tests have built serves here too.
case " $* " in
  *" --crate-name gajae_tool_core "*)
    exec "$@" --cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
      -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
      -Cllvm-args=-sanitizer-coverage-trace-compares ;;
  *) exec "$@" ;;
esac
