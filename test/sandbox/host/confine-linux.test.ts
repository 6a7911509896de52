import { describe, expect, it } from "vitest";
import { bubblewrapCommand, unshareCommand } from "../../../src/sandbox/host/confine-linux.ts";

const entries = [
  { is: "file", path: "/opt/my node/bin/node" },
  { is: "link", path: "/lib64", target: "usr/lib64" },
  { is: "file", path: "/usr/lib64/it's.so" },
] as const;

describe("the command of bwrap", () => {
  const options = { program: "/usr/bin/bwrap", entries, sharesNetwork: false, filterFd: 4 };

  it("has namespaces, an empty root that cannot be changed, and no rights", () => {
    expect(bubblewrapCommand(options).join(" ")).toMatchInlineSnapshot(
      `"/usr/bin/bwrap --unshare-user --unshare-pid --unshare-ipc --unshare-cgroup-try --unshare-uts --hostname sandbox --unshare-net --die-with-parent --uid 65534 --gid 65534 --cap-drop ALL --ro-bind /opt/my node/bin/node /opt/my node/bin/node --symlink usr/lib64 /lib64 --ro-bind /usr/lib64/it's.so /usr/lib64/it's.so --remount-ro / --chdir / --seccomp 4 --"`,
    );
  });

  it("keeps the network and all system calls for a debugger", () => {
    const inspected = { ...options, sharesNetwork: true, filterFd: undefined };
    const command = bubblewrapCommand(inspected);
    expect(command).not.toContain("--unshare-net");
    expect(command).not.toContain("--seccomp");
    expect(command).toContain("--unshare-pid");
  });
});

describe("the command of unshare", () => {
  const programs = {
    unshare: "/usr/bin/unshare",
    setpriv: "/usr/bin/setpriv",
    mount: "/bin/mount",
    mkdir: "/bin/mkdir",
    ln: "/bin/ln",
  };
  const options = { programs, entries, sharesNetwork: false, limits: "ulimit -f 0" };

  it("makes the root, sets the limits, and leaves all rights", () => {
    expect(unshareCommand(options).join(" ")).toMatchInlineSnapshot(`
      "/usr/bin/unshare --user --map-root-user --mount --pid --ipc --uts --net --fork --kill-child=SIGKILL -- /bin/sh -ec /bin/mount -t tmpfs -o size=1m,mode=755 tmpfs /sys
      /bin/mkdir -p '/sys/opt/my node/bin' '/sys/usr/lib64'
      /bin/ln -s 'usr/lib64' '/sys/lib64'
      : >'/sys/opt/my node/bin/node'
      : >'/sys/usr/lib64/it'\\''s.so'
      printf %s '/opt/my\\040node/bin/node /sys/opt/my\\040node/bin/node none bind,ro,nosuid,nodev 0 0
      /usr/lib64/it'\\''s.so /sys/usr/lib64/it'\\''s.so none bind,ro,nosuid,nodev 0 0
      ' >/sys/.mounts
      /bin/mount -a -T /sys/.mounts
      /bin/mount -o remount,bind,ro /sys
      ulimit -f 0
      exec /usr/bin/setpriv --no-new-privs -- /usr/bin/unshare --user --map-user=65534 --map-group=65534 --root=/sys --wd=/ -- "$@" sh"
    `);
  });

  it("keeps the network for a debugger", () => {
    expect(unshareCommand({ ...options, sharesNetwork: true })).not.toContain("--net");
  });
});
