#!/bin/sh
# Builds the engine with profile-guided optimization: `make pgo EXE=name` calls it, for the CPU of this machine. With
# the word `release` after the name, as `make release EXE=name` calls it, the binary is for every x86-64 CPU since 2009,
# and is built without this optimization if the program that merges the counts is missing.
#
# A first build counts what runs in searches, perft and PGN, a second one is optimized by these counts. What merges the
# counts is llvm-profdata, of the compiler or of another LLVM. RUSTFLAGS choose another CPU than that of the machine.
set -eu

case $1 in
    /* | [A-Za-z]:*) executable=$1 ;;
    *) executable=$PWD/$1 ;;
esac
cd "$(dirname "$0")/.."
purpose=${2:-pgo}
cargo=${CARGO:-cargo}
rustc=${RUSTC:-rustc}
work=${CARGO_TARGET_DIR:-$PWD/target}/pgo
counts=$work/counts
profile=$work/hematite.profdata

host=$("$rustc" -vV | sed -n 's/^host: //p')
llvm=$("$rustc" -vV | sed -n 's/^LLVM version: //p')
built=$work/$host/release/hematite
case $host in *windows*) built=$built.exe ;; esac
case $purpose/$host in
    pgo/*) cpu=native ;;
    release/x86_64-*) cpu=x86-64-v2 ;;
    release/*) cpu=generic ;;
    *) echo "expected pgo or release after the name of the binary, found $purpose" >&2; exit 1 ;;
esac
flags=${RUSTFLAGS--C target-cpu=$cpu}

# The commands that may merge: the one that is named, or those of the compiler and of the PATH, newer ones first.
candidates() {
    if [ -n "${LLVM_PROFDATA:-}" ]; then
        printf '%s\n' "$LLVM_PROFDATA"
        return
    fi
    ls "$("$rustc" --print sysroot)/lib/rustlib/$host/bin/llvm-profdata"* 2> /dev/null || true
    printf '%s\n' "$PATH" | tr : '\n' | while read -r folder; do
        ls "$folder" 2> /dev/null | sed -n "s|^llvm-profdata-\([0-9]*\)\$|\1 $folder/&|p"
    done | sort -rn | cut -d ' ' -f 2-
    command -v llvm-profdata || true
}

# A small program shows within a second whether a command reads what this compiler writes, and the other way round.
probe=$work/probe
fits() {
    if [ ! -d "$probe/counts" ]; then
        echo 'fn main() {}' > "$probe/main.rs"
        "$rustc" -C profile-generate="$probe/counts" -o "$probe/main" "$probe/main.rs"
        "$probe/main"
    fi
    "$1" merge -o "$probe/profile" "$probe/counts" 2> /dev/null \
        && "$rustc" -C profile-use="$probe/profile" -o "$probe/main" "$probe/main.rs" 2> /dev/null
}

rm -rf "$counts" "$profile" "$probe"
mkdir -p "$probe"
merge=
found=
IFS='
'
for candidate in $(candidates); do
    version=$("$candidate" merge --version 2> /dev/null | sed -n 's/.*LLVM version \([0-9.]*\).*/\1/p') || true
    if [ -n "$version" ] && fits "$candidate"; then
        merge=$candidate
        break
    fi
    found="${found:+$found, }$candidate (${version:+LLVM }${version:-does not run})"
done
if [ -z "$merge" ]; then
    echo "expected an llvm-profdata that reads profiles of rustc's LLVM $llvm, found ${found:-none}"
    echo "help: rustup component add llvm-tools, or a package such as llvm-19 or newer; LLVM_PROFDATA=command names another"
    [ "$purpose" = release ] || exit 1
    echo "building without profile-guided optimization: the binary is slower"
fi >&2

unset IFS

# Only for the target, so that the programs that run while building count nothing. Each argument is one flag of the
# compiler; the separator lets the name of a folder have spaces.
build() {
    separator=$(printf '\037')
    encoded=$(printf '%s' "$flags" | tr -s ' ' "$separator")
    for flag in "$@"; do encoded=$encoded$separator$flag; done
    CARGO_ENCODED_RUSTFLAGS=$encoded "$cargo" build --locked --release --target "$host" --target-dir "$work"
}

if [ -z "$merge" ]; then
    build
    cp "$built" "$executable"
    echo "built $executable without profile-guided optimization"
    exit
fi
echo "merging with $merge (LLVM ${version:-unknown}), for rustc's LLVM $llvm"

# Without optimization at link time, which the counting does not need. Flags leave the names of functions as they are in the
# second build; an own profile of Cargo would change them, and no count would be found.
build -Cprofile-generate="$counts" -Clinker-plugin-lto=no -Clto=off

# What is counted. Code that never runs is made small instead of fast, so the kernels and lookups that other CPUs choose run,
# too; a build for one CPU refuses to do without its instructions.
runs() {
    echo "counting: $*"
    "$built" "$@" > /dev/null
}
runs bench
for missing in avx512vnni avx512bw avx2; do
    HEMATITE_WITHOUT=$missing "$built" bench > /dev/null 2>&1 || true
done
for sliders in magic pext; do
    HEMATITE_SLIDERS=$sliders "$built" perft 5 > /dev/null
done
games=$work/games.pgn
rm -f "$games"
runs match --engine cmd="$built" name=a --engine cmd="$built" name=b --each nodes=5000 --rounds 4 --pgn "$games"
for command in check stats export fen; do
    runs pgn $command "$games"
done
runs pgn find --count player:a "$games"

"$merge" merge -o "$profile" "$counts"
build -Cprofile-use="$profile"
cp "$built" "$executable"
echo "built $executable with profile-guided optimization"
