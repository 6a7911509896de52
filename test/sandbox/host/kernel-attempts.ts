/** What an attacker knows about the machine: the test has made all of it. */
export interface CallTargets {
  /** A file with mode 0600, in a folder with mode 0700. */
  file: string;
  folder: string;
  port: number;
  socketPath: string;
  /** Without the zero that it starts with. */
  abstractName: string;
  /** Id of the process that has started the sandbox. */
  pid: number;
}

/**
 * Expressions of Perl: each is one system call of Linux on x64, with its number, and is below zero
 * when the kernel has refused it. Nothing of them changes anything, so they are also tried without
 * a confinement, where they succeed.
 */
export const CALLS_TO_THE_HOST: Readonly<Record<string, string>> = {
  "open of a private file": "call(2, $file, 0)",
  "openat above the root": 'call(257, call(2, "/", 0x200000), "../../etc/passwd", 0)',
  "openat2 of a private file": 'call(437, -100, $file, "\\0" x 24, 24)',
  "stat of a private file": "call(4, $file, $buffer)",
  "inotify_add_watch on a private folder": "call(254, call(253), $folder, 1)",
  "open of its own environment": 'call(2, "/proc/self/environ", 0)',
  "open of the environment of the host": 'call(2, "/proc/$host/environ", 0)',
  "open of the command line of the host": 'call(2, "/proc/$host/cmdline", 0)',
  "open of a device": 'call(2, "/dev/null", 0)',
  "open of a control group": 'call(2, "/sys/fs", 0)',
  "access of a program": 'call(21, "/bin/sh", 1)',
  "statfs of a file system": 'call(137, "/proc", $buffer)',
  "connect by TCP": "call(42, call(41, 2, 1, 0), pack('SnNx8', 2, $port, 0x7f000001), 16)",
  "connect to a socket that is a file":
    "call(42, call(41, 1, 1, 0), pack('Sa108', 1, $socketPath), 110)",
  "connect to a socket that has only a name": "call(42, call(41, 1, 1, 0), $named, length $named)",
  // Some versions of Node fill the name with zeros.
  "connect to a socket that has only a long name":
    "call(42, call(41, 1, 1, 0), pack('a110', $named), 110)",
  "pidfd_open of the host": "call(434, $host, 0)",
  "kill of the host": "call(62, $host, 0)",
  "kill of all": "call(62, -1, 0)",
  "tgkill of the host": "call(234, $host, $host, 0)",
  "getpgid of the host": "call(121, $host)",
  "getsid of the host": "call(124, $host)",
  "getpriority of the host": "call(140, 0, $host)",
  "sched_getaffinity of the host": "call(204, $host, 128, $buffer)",
  "sched_getscheduler of the host": "call(145, $host)",
  "prlimit of the host": "call(302, $host, 7, 0, $buffer)",
  "ioprio_get of the host": "call(252, 1, $host)",
  "get_robust_list of the host": "call(274, $host, $buffer, $second)",
  "fcntl that makes the host own a file": "call(72, 0, 8, $host)",
};

/** They would change this machine or need rights that a test may not have. */
export const CALLS_OF_AN_ATTACKER: Readonly<Record<string, string>> = {
  "open that makes a file": 'call(2, "/made", 0101, 0600)',
  "open that makes a file without a name": 'call(2, "/", 020200002, 0600)',
  "mkdir in the root": 'call(83, "/made", 0700)',
  "mknod of a device": 'call(133, "/made", 020600, 259)',
  "symlink in the root": 'call(88, $file, "/made")',
  "chmod of the program": 'call(90, "/usr/bin/perl", 0777)',
  "open of the program for writing": 'call(2, "/usr/bin/perl", 2)',
  "unlink of the program": 'call(87, "/usr/bin/perl")',
  "write to a file in memory": "call(1, call(319, 'x', 0), 'text', 4)",
  "execveat of a file in memory": "call(322, call(319, 'x', 0), '', $none, $none, 0x1000)",
  "execve of a shell": 'call(59, "/bin/sh", $none, $none)',
  "name_to_handle_at of a folder": "call(303, -100, $folder, $handle, $buffer, 0)",
  open_by_handle_at: "call(304, 0, $handle, 0)",
  fanotify_init: "call(300, 0x200, 0)",
  "ptrace of the host": "call(101, 16, $host, 0, 0)",
  "process_vm_readv of the host": "call(310, $host, $vector, 1, $vector, 1, 0)",
  "process_vm_writev of the host": "call(311, $host, $vector, 1, $vector, 1, 0)",
  "process_madvise of the host": "call(440, call(434, $host, 0), $vector, 1, 20, 0)",
  "process_mrelease of the host": "call(448, call(434, $host, 0), 0)",
  "move_pages of the host": "call(279, $host, 0, 0, 0, 0, 0)",
  "migrate_pages of the host": "call(256, $host, 0, 0, 0)",
  "kcmp with the host": "call(312, $host, $host, 0, 0, 0)",
  "pidfd_getfd of the host": "call(438, call(434, $host, 0), 1, 0)",
  "pidfd_send_signal to the host": "call(424, call(434, $host, 0), 0, 0, 0)",
  "rt_sigqueueinfo to the host": "call(129, $host, 0, $buffer)",
  "timer_create with a signal to the host":
    "call(222, 0, pack('QiiiI', 0, 10, 4, $host, 0) . $buffer, $second)",
  "setpriority of the host": "call(141, 0, $host, 19)",
  "sched_setaffinity of the host": "call(203, $host, 128, chr(255) x 128)",
  "prlimit that limits the host": "call(302, $host, 7, pack('QQ', 3, 3), 0)",
  "setpgid of the host": "call(109, $host, 0)",
  userfaultfd: "call(323, 0)",
  perf_event_open: "call(298, $buffer, 0, -1, -1, 0)",
  bpf: "call(321, 5, $buffer, 128)",
  "setuid of root": "call(105, 0)",
  "setresgid of root": "call(119, 0, 0, 0)",
  setgroups: "call(116, 1, pack('I', 0))",
  "capset of all": "call(126, pack('Ii', 0x20080522, 0), chr(255) x 24)",
  "prctl that allows new privileges": "call(157, 38, 0, 0, 0, 0)",
  "prctl that ends the filter": "call(157, 22, 0, 0, 0, 0)",
  "unshare of the user namespace": "call(272, 0x10000000)",
  "unshare of the mount namespace": "call(272, 0x20000)",
  "setns of the host": "call(308, call(434, $host, 0), 0x20000000)",
  chroot: 'call(161, "/")',
  pivot_root: 'call(155, "/", "/")',
  mount: 'call(165, "none", "/", "tmpfs", 0, 0)',
  umount2: 'call(166, "/", 2)',
  fsopen: 'call(430, "tmpfs", 0)',
  open_tree: 'call(428, -100, "/", 1)',
  move_mount: "call(429, 0, '', 0, '', 4)",
  mount_setattr: 'call(442, -100, "/", 0, chr(1) . "\\0" x 31, 32)',
  listmount: "call(458, pack('QqQ', 24, -1, 0), $buffer, 8, 0)",
  settimeofday: "call(164, 0, 0)",
  clock_settime: "call(227, 0, pack('qq', 0, 2_000_000_000))",
  adjtimex: "call(159, pack('I', 0x100) . $buffer)",
  clock_adjtime: "call(305, 0, pack('I', 0x100) . $buffer)",
  sethostname: "call(170, 'x', 1)",
  setdomainname: "call(171, 'x', 1)",
  syslog: "call(103, 3, $buffer, 100)",
  "keyctl of the session": "call(250, 0, -3, 0)",
  add_key: "call(248, 'user', 'x', 'y', 1, -2)",
  request_key: "call(249, 'user', 'x', 0, -2)",
  "socket of the network": "call(41, 2, 1, 0)",
  "socket that is a file": "call(41, 1, 1, 0)",
  "socket of the kernel": "call(41, 16, 3, 0)",
  "socket for audits": "call(41, 16, 3, 9)",
  "socket to the host of a virtual machine": "call(41, 40, 1, 0)",
  "socket for packets": "call(41, 17, 3, 0)",
  "socket for ciphers": "call(41, 38, 5, 0)",
  socketpair: "call(53, 1, 1, 0, $buffer)",
  io_uring_setup: "call(425, 8, $buffer)",
  shmget: "call(29, 0, 4096, 01600)",
  semget: "call(64, 0, 1, 01600)",
  msgget: "call(68, 0, 01600)",
  mq_open: "call(240, 'x', 0102, 0600, 0)",
  memfd_secret: "call(447, 0)",
  personality: "call(135, 0x400000)",
  modify_ldt: "call(154, 0, $buffer, 64)",
  iopl: "call(172, 3)",
  ioperm: "call(173, 0, 1, 1)",
  init_module: "call(175, 0, 0, 0)",
  finit_module: "call(313, 0, '', 0)",
  delete_module: "call(176, 'none', 0)",
  kexec_load: "call(246, 0, 0, 0, 0)",
  acct: "call(163, 0)",
  quotactl: "call(179, 0, 0, 0, 0)",
  swapoff: 'call(168, "/none")',
  "reboot without its magic number": "call(169, 0, 0, 0, 0)",
  vhangup: "call(153)",
  "setrlimit of processor time": "call(160, 0, pack('QQ', ~0, ~0))",
  "setrlimit of memory": "call(160, 2, pack('QQ', ~0, ~0))",
  "setrlimit of written files": "call(160, 1, pack('QQ', ~0, ~0))",
  "setrlimit of open files": "call(160, 7, pack('QQ', ~0, ~0))",
  "clone of a process in namespaces": "leave(call(56, 0x10020011, 0, 0, 0, 0))",
  "clone of a process": "leave(call(56, 17, 0, 0, 0, 0))",
  "clone3 of a process": "leave(call(435, pack('QQQQQ', 0, 0, 0, 0, 17) . \"\\0\" x 48, 88))",
  fork: "leave(call(57))",
};

/**
 * @param calls some of the lists above
 * @returns a program of Perl that prints for each call 0 or the kernel's error
 */
export function writeCallProgram(calls: Readonly<Record<string, string>>, targets: CallTargets) {
  const quote = (text: string): string => `'${text.replace(/[\\']/g, "\\$&")}'`;
  const { pid, port } = targets;
  return [
    ...(["file", "folder", "socketPath", "abstractName"] as const).map(
      (name) => `my $${name} = ${quote(targets[name])};`,
    ),
    `my ($host, $port) = (${pid}, ${port});`,
    'my ($buffer, $second, $none) = ("\\0" x 4096, "\\0" x 4096, "\\0" x 8);',
    `my ($handle, $vector) = (pack("Ii", 128, 0) . $buffer, pack("pQ", $second, 8));`,
    // The kernel may write into what it gets, so it gets copies.
    "sub call { my ($number, @rest) = @_; syscall($number, @rest) }",
    // A process that was started is at its end at once, and this one waits for it.
    "sub leave { my $id = shift; syscall(231, 0) if $id == 0; syscall(61, $id, 0, 0x40000000, 0) if $id > 0; $id }",
    "my $named = pack('Sxa*', 1, $abstractName);",
    "$| = 1;",
    // A write over the limit fails, and does not end the program.
    "$SIG{XFSZ} = 'IGNORE';",
    ...Object.entries(calls).map(
      ([name, call]) =>
        `{ $! = 0; my $r = ${call}; print ${quote(name)}, "\\t", $r < 0 ? $! + 0 : 0, "\\n"; }`,
    ),
  ].join("\n");
}
