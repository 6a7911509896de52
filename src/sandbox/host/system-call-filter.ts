/** Operations of the filters that the kernel runs before each system call: `linux/bpf_common.h`. */
const LOAD_WORD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const JUMP_IF_BITS = 0x45;
const RETURN = 0x06;

/** Places in what a filter sees: `struct seccomp_data`. */
const NUMBER_AT = 0;
const ARCHITECTURE_AT = 4;
const FIRST_ARGUMENT_AT = 16;

/** Answers of a filter: `linux/seccomp.h`, with numbers of `errno.h`. */
const ALLOW = 0x7fff_0000;
const REFUSE = 0x0005_0001;
const UNKNOWN_CALL = 0x0005_0026;
const KILL = 0x8000_0000;

const CLONE_THREAD = 0x0001_0000;
/** On x64, calls of a second, smaller interface have this bit. */
const X32_BIT = 0x4000_0000;

interface CallNumbers {
  /** `linux/audit.h`. */
  architecture: number;
  clone: number;
  refused: Readonly<Record<string, number>>;
}

/** Both architectures number what is newer in the same way. */
const NEWER = {
  pidfd_send_signal: 424,
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  pidfd_open: 434,
  pidfd_getfd: 438,
  mount_setattr: 442,
  quotactl_fd: 443,
  memfd_secret: 447,
  statmount: 457,
  listmount: 458,
  open_tree_attr: 467,
};

/** `clone3` keeps its flags in memory, where a filter sees nothing: libraries use `clone` then. */
const CLONE3 = 435;

const CALLS: Readonly<Partial<Record<string, CallNumbers>>> = {
  x64: {
    architecture: 0xc000_003e,
    clone: 56,
    refused: {
      shmget: 29,
      socket: 41,
      connect: 42,
      accept: 43,
      bind: 49,
      listen: 50,
      socketpair: 53,
      fork: 57,
      vfork: 58,
      semget: 64,
      msgget: 68,
      ptrace: 101,
      syslog: 103,
      personality: 135,
      modify_ldt: 154,
      pivot_root: 155,
      adjtimex: 159,
      chroot: 161,
      acct: 163,
      settimeofday: 164,
      mount: 165,
      umount2: 166,
      swapon: 167,
      swapoff: 168,
      reboot: 169,
      sethostname: 170,
      setdomainname: 171,
      iopl: 172,
      ioperm: 173,
      init_module: 175,
      delete_module: 176,
      quotactl: 179,
      clock_settime: 227,
      mq_open: 240,
      kexec_load: 246,
      add_key: 248,
      request_key: 249,
      keyctl: 250,
      unshare: 272,
      accept4: 288,
      perf_event_open: 298,
      fanotify_init: 300,
      name_to_handle_at: 303,
      open_by_handle_at: 304,
      clock_adjtime: 305,
      setns: 308,
      process_vm_readv: 310,
      process_vm_writev: 311,
      kcmp: 312,
      finit_module: 313,
      kexec_file_load: 320,
      bpf: 321,
      execveat: 322,
      userfaultfd: 323,
      ...NEWER,
    },
  },
  arm64: {
    architecture: 0xc000_00b7,
    clone: 220,
    refused: {
      umount2: 39,
      mount: 40,
      pivot_root: 41,
      chroot: 51,
      quotactl: 60,
      acct: 89,
      personality: 92,
      unshare: 97,
      kexec_load: 104,
      init_module: 105,
      delete_module: 106,
      clock_settime: 112,
      syslog: 116,
      ptrace: 117,
      reboot: 142,
      sethostname: 161,
      setdomainname: 162,
      settimeofday: 170,
      adjtimex: 171,
      mq_open: 180,
      msgget: 186,
      semget: 190,
      shmget: 194,
      socket: 198,
      socketpair: 199,
      bind: 200,
      listen: 201,
      accept: 202,
      connect: 203,
      add_key: 217,
      request_key: 218,
      keyctl: 219,
      swapon: 224,
      swapoff: 225,
      perf_event_open: 241,
      accept4: 242,
      fanotify_init: 262,
      name_to_handle_at: 264,
      open_by_handle_at: 265,
      clock_adjtime: 266,
      setns: 268,
      process_vm_readv: 270,
      process_vm_writev: 271,
      kcmp: 272,
      finit_module: 273,
      bpf: 280,
      execveat: 281,
      userfaultfd: 282,
      kexec_file_load: 294,
      ...NEWER,
    },
  },
};

/** The architectures of processors, in Node's words, for which there is a filter. */
export const FILTERED_ARCHITECTURES = Object.keys(CALLS);

/**
 * Writes the filter that a sandbox gets: no sockets, no other processes, no tracing, mounts,
 * namespaces, keys or clocks, and no memory that stays when no process has it. `execve` is missing,
 * because it starts the sandbox itself; its root contains no other program.
 * @param architecture `process.arch`
 * @returns the bytes of a filter as `bwrap --seccomp` reads it
 * @throws {TypeError} for an architecture that is not in FILTERED_ARCHITECTURES
 */
export function writeSystemCallFilter(architecture: string): Uint8Array {
  const calls = CALLS[architecture];
  if (calls === undefined) throw new TypeError(`There is no filter for ${architecture}.`);
  const steps: Step[] = [
    [LOAD_WORD, 0, 0, ARCHITECTURE_AT],
    [JUMP_IF_EQUAL, 1, 0, calls.architecture],
    [RETURN, 0, 0, KILL],
    [LOAD_WORD, 0, 0, NUMBER_AT],
    [JUMP_IF_AT_LEAST, 0, 1, X32_BIT],
    [RETURN, 0, 0, REFUSE],
    [JUMP_IF_EQUAL, 0, 1, CLONE3],
    [RETURN, 0, 0, UNKNOWN_CALL],
    ...Object.values(calls.refused).flatMap((call): Step[] => [
      [JUMP_IF_EQUAL, 0, 1, call],
      [RETURN, 0, 0, REFUSE],
    ]),
    // Threads may start, processes may not.
    [JUMP_IF_EQUAL, 0, 3, calls.clone],
    [LOAD_WORD, 0, 0, FIRST_ARGUMENT_AT],
    [JUMP_IF_BITS, 1, 0, CLONE_THREAD],
    [RETURN, 0, 0, REFUSE],
    [RETURN, 0, 0, ALLOW],
  ];
  const bytes = new DataView(new ArrayBuffer(steps.length * 8));
  for (const [index, [operation, ifTrue, ifFalse, value]] of steps.entries()) {
    bytes.setUint16(index * 8, operation, true);
    bytes.setUint8(index * 8 + 2, ifTrue);
    bytes.setUint8(index * 8 + 3, ifFalse);
    bytes.setUint32(index * 8 + 4, value, true);
  }
  return new Uint8Array(bytes.buffer);
}

type Step = readonly [operation: number, ifTrue: number, ifFalse: number, value: number];
