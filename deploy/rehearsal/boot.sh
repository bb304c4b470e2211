#!/bin/sh
# Boots the Debian in BASE as a machine of its own: its own processes, network, mounts and systemd.
# Nothing it writes reaches this machine: changes are kept in WORK, which is deleted afterwards.
# Started by stage.ts inside new namespaces. Writes its process id, as the host counts, to WORK/pid.
set -eu
root=$WORK/root
mkdir -p "$root" "$WORK/changes" "$WORK/scratch"
mount --make-rprivate /
mount -t overlay overlay \
  -o "lowerdir=$BASE,upperdir=$WORK/changes,workdir=$WORK/scratch" "$root"
read -r pid _ < /proc/self/stat
echo "$pid" > "$WORK/pid"

mount -t proc proc "$root/proc"
mount --bind "$root/proc/sys" "$root/proc/sys"
mount -o remount,ro,bind "$root/proc/sys"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom tty; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$root/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
ln -s fd/0 "$root/dev/stdin"
ln -s fd/1 "$root/dev/stdout"
ln -s fd/2 "$root/dev/stderr"

# What would touch the kernel, which is shared.
for unit in systemd-sysctl systemd-modules-load systemd-binfmt systemd-udevd systemd-random-seed \
  systemd-udev-trigger kmod-static-nodes console-getty getty@tty1 networking; do
  ln -sf /dev/null "$root/etc/systemd/system/$unit.service"
done
rm -f "$root/etc/hostname"
echo kickabout > "$root/etc/hostname"
hostname kickabout
ip link set lo up
exec chroot "$root" env -i container=rehearsal PATH=/usr/sbin:/usr/bin:/sbin:/bin \
  /lib/systemd/systemd --unit=multi-user.target
