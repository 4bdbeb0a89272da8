import { randomInt } from 'node:crypto'
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
/** More bytes than a whole run needs, including the programs that it starts. */
const ENOUGH_MEMORY = 6 * 2 ** 30

/**
 * A new temporary folder, named after this process and owned by `user` if this process is root. Test runs use the
 * memory disk if it has room, as databases mostly wait for the disk. Also removes folders of processes that are no
 * longer alive.
 */
export function temporaryFolder(purpose: string, user?: string): string {
  removeStaleFolders()
  const folder = mkdtempSync(join(rootFolder(), `${PREFIX}${process.pid}-${purpose}-`))
  guard()
  folders.add(folder)
  const ids = user === undefined ? undefined : userIds(user)
  if (ids !== undefined) chownSync(folder, ids.uid, ids.gid)
  return folder
}

/** Benchmarks and full proofs use real disks. */
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

/** Registered once per process. */
function guard(): void {
  if (isGuarded) return
  isGuarded = true
  process.once('exit', removeAll)
}

export function removeFolder(folder: string): void {
  folders.delete(folder)
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
}

/**
 * A free port on the loopback address, different for each call in this process. It lies below the ports that systems
 * choose for other sockets, so that none of them takes it before it is used.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 1000; tries++) {
    const port = randomInt(15_000, 32_000)
    if (given.has(port)) continue
    given.add(port)
    if (await isFree(port)) return port
  }
  throw new Error('No free port.')
}

const given = new Set<number>()

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** The awaited state can no longer occur. */
export class Gone extends Error {}

/** Calls `probe` every `pause` milliseconds until it does not throw, or throws `Gone`. */
export async function waitFor<T>(probe: () => Promise<T>, timeout: number, pause = 50): Promise<T> {
  const end = Date.now() + timeout
  for (;;) {
    try {
      return await probe()
    } catch (error) {
      if (error instanceof Gone || Date.now() > end) throw error
      await new Promise(resolve => setTimeout(resolve, pause))
    }
  }
}

let isCleaned = false

function removeAll(): void {
  for (const folder of folders) removeFolder(folder)
}

function removeStaleFolders(): void {
  if (isCleaned) return
  isCleaned = true
  for (const root of new Set([tmpdir(), rootFolder()])) {
    for (const name of readdirSync(root)) {
      const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]
      if (pid === undefined || isAlive(Number(pid))) continue
      try {
        removeFolder(join(root, name))
      } catch {
        // Another user's folder, removed by the owner's next run.
      }
    }
  }
}
