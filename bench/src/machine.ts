import { cpus, totalmem } from 'node:os'

/** The machine and the runtime, for captions of tables. */
export function machine(): string {
  const [first] = cpus()
  const memory = Math.round(totalmem() / 1024 ** 3)
  return `${cpus().length} cores (${first?.model.trim() ?? 'unknown'}), ${memory} GB, Node.js ${process.version}`
}

/** The best and the median of several runs in milliseconds; the best is least affected by other processes. */
export function timed(runs: number, work: () => unknown): { best: number; median: number } {
  const times = Array.from({ length: runs }, () => {
    const start = performance.now()
    work()
    return performance.now() - start
  }).toSorted((a, b) => a - b)
  return { best: times[0] ?? Number.NaN, median: times[Math.floor(runs / 2)] ?? Number.NaN }
}
