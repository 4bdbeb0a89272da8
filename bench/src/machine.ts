import { cpus, totalmem } from 'node:os'

/** The machine and the runtime, for captions of tables. */
export function machine(): string {
  const [first] = cpus()
  const memory = Math.round(totalmem() / 1024 ** 3)
  return `${cpus().length} cores (${first?.model.trim() ?? 'unknown'}), ${memory} GB, Node.js ${process.version}`
}

/** Best and median thread time of several runs in milliseconds; other processes hardly affect thread time. */
export function timed(runs: number, work: () => unknown): { best: number; median: number } {
  const times = Array.from({ length: runs }, () => {
    const start = threadTime()
    work()
    return threadTime() - start
  }).toSorted((a, b) => a - b)
  return { best: times[0] ?? Number.NaN, median: times[Math.floor(runs / 2)] ?? Number.NaN }
}

function threadTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
