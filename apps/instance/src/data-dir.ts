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

/** The instance cannot use this data directory; the message states the reason and the remedy. */
export class DataDirError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'DataDirRefused'
  }
}

const sqliteBusy = 5

/**
 * Creates the data directory, accessible only by its owner, and locks it against other processes: an exclusive
 * transaction on a database file, which the kernel releases when the process ends. Returns the unlock function.
 */
export function lockDataDir(dataDir: string): () => void {
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

/** The key of this data directory, 32 bytes, created at first use. */
export function loadKey(dataDir: string): Buffer {
  const file = join(dataDir, 'key')
  if (!existsSync(file)) writeAtomically(file, randomBytes(32).toString('hex'))
  chmodSync(file, 0o600)
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex')
  if (key.length !== 32) throw new DataDirError(`${file} does not contain 32 bytes in hexadecimal digits.`)
  return key
}

/** Writes a file atomically and durably, readable only by its owner. */
export function writeAtomically(file: string, content: string | Uint8Array): void {
  const temporary = `${file}.${process.pid}.half`
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const handle = openSync(temporary, 'w', 0o600)
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at)
    fsyncSync(handle)
  } catch (error) {
    // Frees the space on a full disk.
    rmSync(temporary, { force: true })
    throw error
  } finally {
    closeSync(handle)
  }
  renameSync(temporary, file)
  syncFolder(dirname(file))
}

export const fullDiskText = 'The disk of the instance is full.'

export function isFullDisk(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String(error.code))
}

/** A rename survives a power loss only after its folder is synced. Windows has no such step. */
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
  if ('errcode' in error && error.errcode === sqliteBusy) {
    return new DataDirError(
      `Another instance is using the data directory ${dataDir}. Stop it first, or choose another one with CADMUS_INSTANCE_DATA_DIR.`,
    )
  }
  if (!('code' in error)) return error
  return new DataDirError(
    `The instance cannot start: it cannot write to the data directory ${dataDir} (${error.message}). Choose another one with CADMUS_INSTANCE_DATA_DIR.`,
    error,
  )
}
