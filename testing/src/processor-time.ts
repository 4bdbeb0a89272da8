/** Milliseconds that this thread has computed for: other than a clock it does not go on while other programs have the processor. */
export function processorTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
