import * as z from 'zod'

/** Progress of an import that runs under a key the caller chose, or of the reading of the library. `done` and `total` count entities; total 0 = not known yet. */
export const progressAnswer = z.object({
  state: z.enum(['waiting', 'reading', 'resolving', 'storing', 'done', 'failed', 'cancelled']),
  done: z.number().int(),
  total: z.number().int(),
  message: z.string(),
})

/** A finding of an import: which file or thing, and what about it. */
export const importReportLine = z.object({
  severity: z.enum(['error', 'warning', 'info']),
  path: z.string(),
  message: z.string(),
})
