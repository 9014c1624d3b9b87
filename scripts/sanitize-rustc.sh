#!/bin/sh
# Stands in front of rustc for our own crates, under the name of a sanitizer (sanitize.mjs): adds it, but not to what runs
# while something is built.
case " $* " in
  *" --crate-name build_script_build "*) exec "$@" ;;
  *" --crate-name ___ "*) exec "$@" ;;
  *" --crate-name "*) RUSTC_BOOTSTRAP=1 exec "$@" -Zsanitizer="${0##*/}" ;;
  *) exec "$@" ;;
esac
