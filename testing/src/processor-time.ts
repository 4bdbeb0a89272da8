/** Milliseconds of processor time of this thread, independent of other programs. */
export function processorTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
