#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds Qt Core as it is installed here, from the distribution's source, with the thread sanitizer, and prints its folder on the last line.
# Without it the sanitizer does not see the order that Qt's locks and event queues make. Nothing is installed: the library stays in
# $XDG_CACHE_HOME/trialdeck-peers (or ~/.cache/…) under the names of its version, its compiler and this script, and one that is there is
# taken.
set -eu

package=$(dpkg -S "$(readlink -f /usr/lib/*/libQt6Core.so.6)" | sed 's/:.*//')
version=$(dpkg-query -W -f '${source:Version}' "$package")
recipe=$(sha256sum <"$0" | cut -c 1-8)
folder=${XDG_CACHE_HOME:-$HOME/.cache}/trialdeck-peers/qt-core-tsan-$version-$(c++ -dumpfullversion)-$recipe
if [ -e "$folder/libQt6Core.so.6" ]; then
    echo "$folder"
    exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
cd "$work"

# Lists of sources beside those of the system, which stay as they are.
mkdir -p parts lists/partial
for file in /etc/apt/sources.list.d/*.sources; do
    [ ! -e "$file" ] || { sed 's/^Types:.*/Types: deb-src/' "$file" && echo; } >>parts/source.sources
done
cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null | sed -n 's/^deb /deb-src /p' >parts/source.list
apt_get() {
    apt-get -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$work/parts" -o Dir::State::lists="$work/lists" \
        -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User= "$@"
}
apt_get update || echo "Some lists of sources could not be had; trying with the others."
apt_get source --download-only "qt6-base=$version"
tar xf qt6-base_*.orig.tar.*

# Core (and what runs its thread pools) alone, with what the distribution's has, as libraries of Qt that are not checked call it too; and with
# its folders, for their plugins. Processes are forked: the sanitizer takes a clone() that shares memory for a fork, and from then on ignores
# the thread that called it.
libraries=lib/$(c++ -dumpmachine)
cmake -S qtbase-*/ -B build -G Ninja -DCMAKE_INSTALL_PREFIX=/usr -DINSTALL_LIBDIR="$libraries" -DINSTALL_ARCHDATADIR="$libraries/qt6" \
    -DINSTALL_DATADIR=share/qt6 -DFEATURE_relocatable=OFF -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-O1 -g1" -DCMAKE_CXX_FLAGS="-O1 -g1" \
    -DFEATURE_sanitizer=ON -DFEATURE_sanitize_thread=ON -DFEATURE_precompile_header=OFF -DFEATURE_forkfd_pidfd=OFF \
    -DQT_BUILD_TESTS=OFF -DQT_BUILD_EXAMPLES=OFF -DFEATURE_gui=OFF -DFEATURE_sql=OFF -DFEATURE_dbus=OFF -DFEATURE_network=OFF \
    -DFEATURE_testlib=OFF -DFEATURE_xml=OFF -DFEATURE_widgets=OFF -DFEATURE_printsupport=OFF -DFEATURE_glib=ON -DFEATURE_icu=ON \
    -DFEATURE_system_zlib=ON -DFEATURE_zstd=ON -DFEATURE_system_pcre2=ON -DFEATURE_system_doubleconversion=ON
ninja -C build -j "${JOBS:-$(nproc)}" Core Concurrent

mkdir -p "$folder.part"
find build -name "libQt6*.so*" -exec cp -P {} "$folder.part" \;
rm -rf "$folder"
mv "$folder.part" "$folder"
echo "$folder"
