import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The instance cannot start on this data directory; the message says why and what to do. */
export class DataDirRefused extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'DataDirRefused'
  }
}

/** SQLite's word for a file that another process holds. */
const busy = 5

/**
 * Makes the data directory, readable by its owner only, and keeps a second process away from it: an exclusive transaction on a
 * database of its own, which the kernel releases however this process ends. Answers the function that gives it back.
 */
export function takeDataDir(dataDir: string): () => void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const file = join(dataDir, 'lock')
    closeSync(openSync(file, 'a', 0o600))
    const lock = new DatabaseSync(file)
    try {
      lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    } catch (error) {
      lock.close()
      throw error
    }
    return () => lock.close()
  } catch (error) {
    throw refusal(dataDir, error)
  }
}

/** The key that was made for this data directory, made now if there is none: 32 bytes. */
export function keptKey(dataDir: string): Buffer {
  const file = join(dataDir, 'key')
  if (!existsSync(file)) writeWhole(file, randomBytes(32).toString('hex'))
  chmodSync(file, 0o600)
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex')
  if (key.length !== 32) throw new DataDirRefused(`${file} does not hold 32 bytes in hexadecimal digits.`)
  return key
}

/** Writes a file whole or not at all, on the disk when it is answered, for its owner's eyes only. */
export function writeWhole(file: string, content: string | Uint8Array): void {
  const half = `${file}.${process.pid}.half`
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const handle = openSync(half, 'w', 0o600)
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at)
    fsyncSync(handle)
  } catch (error) {
    // On a full disk it would take the last room.
    rmSync(half, { force: true })
    throw error
  } finally {
    closeSync(handle)
  }
  renameSync(half, file)
  syncFolder(dirname(file))
}

export const fullDiskText = 'The disk of the instance is full.'

/** Whether something could not be written because there is no room for it. */
export function isFullDisk(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String(error.code))
}

/** A renaming outlives a loss of power only once its folder is on the disk. Where folders cannot be opened there is no such step. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

function refusal(dataDir: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if ('errcode' in error && error.errcode === busy) {
    return new DataDirRefused(
      `Another instance is using the data directory ${dataDir}. Stop it first, or choose another one with CADMUS_INSTANCE_DATA_DIR.`,
    )
  }
  if (!('code' in error)) return error
  return new DataDirRefused(
    `The instance cannot start: it cannot write to the data directory ${dataDir} (${error.message}). Choose another one with CADMUS_INSTANCE_DATA_DIR.`,
    error,
  )
}
