import { connect, createServer, type Socket } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { vi } from 'vitest'
import type { DatabaseServer, DatabaseSettings } from '../drivers/driver.ts'

// For tests: records every statement that reaches a database.

export type SentStatements = {
  /** Settings for a connection. */
  readonly settings: DatabaseSettings
  /** The distinct statement texts. */
  readonly texts: Set<string>
  readonly stop: () => Promise<void>
}

export async function sentStatements(settings: DatabaseSettings): Promise<SentStatements> {
  if (settings.dialect === 'sqlite') return embedded(settings)
  return wire(settings)
}

/** Records statements of all SQLite connections of this process. */
function embedded(settings: DatabaseSettings): SentStatements {
  const texts = new Set<string>()
  const { prepare, exec } = DatabaseSync.prototype
  const spies = [
    vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function listening(
      this: DatabaseSync,
      text,
      options,
    ) {
      texts.add(text)
      return prepare.call(this, text, options)
    }),
    vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function listening(this: DatabaseSync, text) {
      texts.add(text)
      exec.call(this, text)
    }),
  ]
  return { settings, texts, stop: async () => spies.forEach(spy => spy.mockRestore()) }
}

/** Records Parse and Query messages through a proxy. */
async function wire(settings: DatabaseServer): Promise<SentStatements> {
  const texts = new Set<string>()
  const open = new Set<Socket>()
  const server = createServer(near => {
    const far = connect({ host: settings.host, port: settings.port, noDelay: true })
    const read = reader(texts)
    for (const socket of [near, far]) {
      open.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        open.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (chunk: Buffer) => {
      read(chunk)
      far.write(chunk)
    })
    far.on('data', (chunk: Buffer) => void near.write(chunk))
  })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port.')
  return {
    settings: { ...settings, host: '127.0.0.1', port: address.port },
    texts,
    async stop() {
      for (const socket of open) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** Splits messages: all but the first have a type byte. */
function reader(texts: Set<string>): (chunk: Buffer) => void {
  let left: Buffer = Buffer.alloc(0)
  let isStarted = false
  return chunk => {
    left = left.length === 0 ? chunk : Buffer.concat([left, chunk])
    for (;;) {
      const typeSize = isStarted ? 1 : 0
      if (left.length < typeSize + 4) return
      const size = typeSize + left.readInt32BE(typeSize)
      if (left.length < size) return
      if (isStarted) {
        const type = left.toString('latin1', 0, 1)
        const strings = left.toString('utf8', 5, size).split('\0')
        if (type === 'P') texts.add(strings[1] ?? '')
        if (type === 'Q') texts.add(strings[0] ?? '')
      }
      isStarted = true
      left = left.subarray(size)
    }
  }
}
