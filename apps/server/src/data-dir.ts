import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ApiError } from './errors/api-error.ts'
import { sqliteResult, sqliteResultOf } from './store/failures.ts'

/** The console cannot start on this data directory; the message states the reason and the remedy. */
export class DataDirRefused extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'DataDirRefused'
  }
}

/** Prefixes of the names of all files that the console creates. */
const ownFiles = ['lock', 'secret', 'cadmus.sqlite', 'identity-provider', 'store-made', 'instance']

/** Creates the data directory, readable by its owner only. A directory with foreign files keeps its permissions. */
export function prepareDataDir(dataDir: string): void {
  onDisk(dataDir, () => {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const entries = readdirSync(dataDir)
    if (!entries.every(entry => ownFiles.some(own => entry.startsWith(own)))) return
    if (process.getuid?.() === statSync(dataDir).uid) chmodSync(dataDir, 0o700)
  })
}

/** Restricts a database file to its owner before any data is written; SQLite copies the mode to its companion files. */
export function restrictToOwner(file: string): void {
  closeSync(openSync(file, 'a', 0o600))
  for (const part of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`])
    if (existsSync(part)) chmodSync(part, 0o600)
}

/**
 * Locks the embedded store against a second process: an exclusive transaction on a separate database, which the kernel
 * releases however this process ends. Returns the function that releases it.
 */
export function lockDataDir(dataDir: string): () => void {
  const file = join(dataDir, 'lock')
  return onDisk(dataDir, () => {
    restrictToOwner(file)
    const lock = new DatabaseSync(file)
    try {
      lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    } catch (error) {
      lock.close()
      throw error
    }
    return () => lock.close()
  })
}

/** Runs a step of the start and turns a disk or lock error into a message for the operator. */
export function onDisk<T>(dataDir: string, step: () => T): T {
  try {
    return step()
  } catch (error) {
    throw diskRefusal(dataDir, error) ?? error
  }
}

/** Returns null for errors unrelated to the disk. */
export function diskRefusal(dataDir: string, error: unknown): DataDirRefused | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const result = sqliteResultOf(error instanceof ApiError ? error.detail : error)
  if (result === sqliteResult.busy) {
    return new DataDirRefused(
      `Another Cadmus process is using the data directory ${dataDir}. Stop it first, or choose another one with CADMUS_DATA_DIR.`,
    )
  }
  if (result === sqliteResult.full || code === 'ENOSPC' || code === 'EDQUOT') {
    return new DataDirRefused(
      `Cadmus cannot start: the disk of the data directory ${dataDir} is full. Free space, or choose another one with CADMUS_DATA_DIR.`,
      error,
    )
  }
  if (result === sqliteResult.corrupt || result === sqliteResult.notADatabase)
    return damaged(dataDir, 'is damaged', error)
  const unwritable = [sqliteResult.ioError, sqliteResult.cannotOpen, sqliteResult.readOnly].some(one => one === result)
  if (!unwritable && !['EACCES', 'EPERM', 'EROFS', 'EFBIG', 'EIO', 'ENOTDIR', 'EEXIST'].includes(code)) return null
  return new DataDirRefused(
    `Cadmus cannot start: it cannot write to the data directory ${dataDir} (${reasonOf(error)}). Choose another one with CADMUS_DATA_DIR.`,
    error,
  )
}

/** Rejects an emptied store file: a silent fresh start would hide the loss of all data. */
export function checkStoreFile(dataDir: string, file: string): void {
  const markers = [storeMarker(dataDir), join(dataDir, 'secret'), join(dataDir, 'identity-provider.json')]
  if (!existsSync(file) || statSync(file).size > 0 || !markers.some(marker => existsSync(marker))) return
  throw damaged(dataDir, 'is empty, although it contained data before')
}

/** Marks the directory as used, so that an empty store file counts as data loss from now on. */
export function markStoreCreated(dataDir: string): void {
  onDisk(dataDir, () =>
    writeOnce(storeMarker(dataDir), () => 'This directory holds a store of Cadmus: cadmus.sqlite.\n'),
  )
}

function storeMarker(dataDir: string): string {
  return join(dataDir, 'store-made')
}

function damaged(dataDir: string, condition: string, cause?: unknown): DataDirRefused {
  return new DataDirRefused(
    `Cadmus cannot start: the store in ${join(dataDir, 'cadmus.sqlite')} ${condition}. Restore it from a backup, or remove the file to start with an empty store.`,
    cause,
  )
}

function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return reasonOf(error.detail)
  return error instanceof Error ? error.message : String(error)
}

/** Returns the key of this data directory; generates it at the first start. */
export function loadSecret(dataDir: string): Buffer {
  const file = join(dataDir, 'secret')
  writeOnce(file, () => randomBytes(32).toString('hex'))
  const secret = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex')
  if (secret.length !== 32) throw new Error(`${file} does not contain 32 bytes in hexadecimal digits.`)
  return secret
}

/** Writes a file atomically unless it exists, readable by its owner only. */
export function writeOnce(file: string, content: () => string): void {
  if (existsSync(file)) {
    chmodSync(file, 0o600)
    return
  }
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, content(), { mode: 0o600 })
  renameSync(temporary, file)
}
