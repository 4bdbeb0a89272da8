import type { MessagePort } from 'node:worker_threads'
import type { FromReader } from '../commands/manifest/import-messages.ts'

export type ReadingProgress = Extract<FromReader, { kind: 'progress' }>

const interval = 100

/** Sends progress to the port, at most every 100 ms. */
export function progressReporter(port: MessagePort) {
  let last = 0
  return (done: number, total: number, phase: 'read' | 'resolve' | 'convert') => {
    const now = Date.now()
    if (now - last < interval) return
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
