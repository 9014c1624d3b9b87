#!/bin/sh
# Stands in front of rustc for our own crates, see sanitize.mjs: adds the flags of the sanitizer, but not to what runs
# while something is built.
case " $* " in
  *" --crate-name build_script_build "* | *" --crate-name ___ "*) exec "$@" ;;
  *" --crate-name "*) RUSTC_BOOTSTRAP=1 exec "$@" $SANITIZE_FLAGS ;;
  *) exec "$@" ;;
esac
