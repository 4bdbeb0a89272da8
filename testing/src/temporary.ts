import { accessSync, chownSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { createServer } from 'node:net'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { isTestRun } from './broker.ts'
import { isAlive, userIds } from './children.ts'
import { isProving } from './proof.ts'

const folders = new Set<string>()
let isGuarded = false
const PREFIX = 'cadmus-test-'
const MEMORY_DISK = '/dev/shm'
/** Bytes: more than a whole run needs, with the programs that it starts. */
const ENOUGH_MEMORY = 6 * 2 ** 30

/**
 * A new folder, named after this process and given to `user` where we are root: in a test run on the memory disk where that has room, since
 * databases wait for the disk most of the time, otherwise in the system's temp folder. Folders of processes that are no longer alive are
 * removed on the way.
 */
export function temporaryFolder(purpose: string, user?: string): string {
  sweep()
  const folder = mkdtempSync(join(rootFolder(), `${PREFIX}${process.pid}-${purpose}-`))
  guard()
  folders.add(folder)
  const ids = user === undefined ? undefined : userIds(user)
  if (ids !== undefined) chownSync(folder, ids.uid, ids.gid)
  return folder
}

/** Measurements and full proofs are about disks as they are. */
function rootFolder(): string {
  const mayChoose = isTestRun() && !isProving() && process.env['TMPDIR'] === undefined
  return mayChoose && hasMemoryDisk() ? MEMORY_DISK : tmpdir()
}

function hasMemoryDisk(): boolean {
  try {
    accessSync(MEMORY_DISK, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY_DISK)
    return Math.min(bavail * bsize, freemem()) > ENOUGH_MEMORY
  } catch {
    return false
  }
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
  for (const root of new Set([tmpdir(), rootFolder()])) {
    for (const name of readdirSync(root)) {
      const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]
      if (pid === undefined || isAlive(Number(pid))) continue
      try {
        removeFolder(join(root, name))
      } catch {
        // Another user's folder: its owner's next run removes it.
      }
    }
  }
}
