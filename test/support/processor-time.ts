/**
 * @returns the milliseconds of processor time that this process spends on the work. Other processes
 * do not change it, unlike a clock
 */
export function processorMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
