import type { MessagePort } from 'node:worker_threads'
import type { FromReader } from '../commands/manifest/import-messages.ts'

/** What a thread that reads says of how far it is. */
export type ReadingProgress = Extract<FromReader, { kind: 'progress' }>

const every = 100

/** Tells the other side of the port how far the reading is, not more often than anybody looks. */
export function progressReporter(port: MessagePort) {
  let last = 0
  return (done: number, total: number, phase: 'read' | 'resolve' | 'convert') => {
    const now = Date.now()
    if (now - last < every) return
    last = now
    const message: ReadingProgress = {
      kind: 'progress',
      state: phase === 'read' ? 'reading' : 'resolving',
      done,
      total,
    }
    port.postMessage(message)
  }
}
