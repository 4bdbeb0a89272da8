import type pg from 'pg'
import { connect } from 'node:net'
import type { DatabaseServer } from './settings.ts'

const cancelCode = 80_877_102
const patience = 5000

/** Asks the server to end what it does for a client: it would notice that nobody takes the answer only when it has one. */
export function cancelStatement({ host, port }: DatabaseServer, client: pg.PoolClient): void {
  if (!('processID' in client && 'secretKey' in client)) return
  const { processID, secretKey } = client
  if (typeof processID !== 'number' || typeof secretKey !== 'number') return
  const message = Buffer.alloc(16)
  message.writeInt32BE(message.length, 0)
  message.writeInt32BE(cancelCode, 4)
  message.writeInt32BE(processID, 8)
  message.writeInt32BE(secretKey, 12)
  const socket = connect({ host, port, timeout: patience })
  socket.on('error', () => undefined)
  socket.on('timeout', () => socket.destroy())
  socket.end(message)
}
