import type pg from 'pg'
import { connect } from 'node:net'
import type { DatabaseServer } from './settings.ts'

const cancelCode = 80_877_102
const timeout = 5000

/**
 * Cancels the running statement of a client. Otherwise the server would notice a lost client only when it sends the
 * result.
 */
export function cancelStatement({ host, port }: DatabaseServer, client: pg.Client): void {
  if (!('processID' in client && 'secretKey' in client)) return
  const { processID, secretKey } = client
  if (typeof processID !== 'number' || typeof secretKey !== 'number') return
  const message = Buffer.alloc(16)
  message.writeInt32BE(message.length, 0)
  message.writeInt32BE(cancelCode, 4)
  message.writeInt32BE(processID, 8)
  message.writeInt32BE(secretKey, 12)
  const socket = connect({ host, port, timeout: timeout })
  socket.on('error', () => undefined)
  socket.on('timeout', () => socket.destroy())
  socket.end(message)
}
