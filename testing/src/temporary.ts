import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive, userIds } from './children.ts'

const folders = new Set<string>()
let isGuarded = false
const PREFIX = 'cadmus-test-'

/**
 * A new folder in the system's temp folder, named after this process and given to `user` where we are root. Folders that
 * processes left behind which are no longer alive are removed on the way.
 */
export function temporaryFolder(purpose: string, user?: string): string {
  sweep()
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-${purpose}-`))
  guard()
  folders.add(folder)
  const ids = user === undefined ? undefined : userIds(user)
  if (ids !== undefined) chownSync(folder, ids.uid, ids.gid)
  return folder
}

/** Once for a process, though its folders come and go. */
function guard(): void {
  if (isGuarded) return
  isGuarded = true
  process.once('exit', removeAll)
}

export function removeFolder(folder: string): void {
  folders.delete(folder)
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
}

/** A port that was free a moment ago on the loopback address. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('No free port.'))
        else resolve(address.port)
      })
    })
  })
}

/** What is waited for can never come. */
export class Gone extends Error {}

/** Asks `probe` every `pause` milliseconds until it answers without throwing, or throws `Gone`. */
export async function waitFor<T>(probe: () => Promise<T>, patience: number, pause = 50): Promise<T> {
  const end = Date.now() + patience
  for (;;) {
    try {
      return await probe()
    } catch (error) {
      if (error instanceof Gone || Date.now() > end) throw error
      await new Promise(resolve => setTimeout(resolve, pause))
    }
  }
}

let swept = false

function removeAll(): void {
  for (const folder of folders) removeFolder(folder)
}

function sweep(): void {
  if (swept) return
  swept = true
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]
    if (pid === undefined || isAlive(Number(pid))) continue
    try {
      removeFolder(join(tmpdir(), name))
    } catch {
      // Another user's folder: its owner's next run removes it.
    }
  }
}
