import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Makes the data directory, readable by its owner only. */
export function prepareDataDir(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
}

/**
 * Keeps a second process away from the embedded store: an exclusive transaction on a database of its own, which the kernel
 * releases however this process ends. Answers the function that gives it back.
 */
export function lockDataDir(dataDir: string): () => void {
  const lock = new DatabaseSync(join(dataDir, 'lock'))
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch {
    lock.close()
    throw new DataDirInUse(dataDir)
  }
  return () => lock.close()
}

export class DataDirInUse extends Error {
  constructor(dataDir: string) {
    super(
      `Another Cadmus is using the data directory ${dataDir}. Stop it first, or choose another one with CADMUS_DATA_DIR.`,
    )
    this.name = 'DataDirInUse'
  }
}

/** The key that was made for this data directory, made now if there is none. */
export function keptSecret(dataDir: string): Buffer {
  const file = join(dataDir, 'secret')
  keepFile(file, () => randomBytes(32).toString('hex'))
  const secret = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex')
  if (secret.length !== 32) throw new Error(`${file} does not hold 32 bytes in hexadecimal digits.`)
  return secret
}

/** Writes a file once, whole or not at all, for its owner's eyes only. */
export function keepFile(file: string, content: () => string): void {
  if (existsSync(file)) return
  const half = `${file}.${process.pid}`
  writeFileSync(half, content(), { mode: 0o600 })
  renameSync(half, file)
}
