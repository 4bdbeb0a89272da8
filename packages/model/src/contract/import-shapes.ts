import * as z from 'zod'

/**
 * Progress of an import under a client-chosen key, or of reading the library. `done` and `total` count entities; total 0 = not yet
 * determined.
 */
export const progressAnswer = z.object({
  state: z.enum(['waiting', 'reading', 'resolving', 'storing', 'done', 'failed', 'cancelled']),
  done: z.number().int(),
  total: z.number().int(),
  message: z.string(),
})

/** A finding of an import about a file or an item of it. */
export const importReportLine = z.object({
  severity: z.enum(['error', 'warning', 'info']),
  path: z.string(),
  message: z.string(),
})
