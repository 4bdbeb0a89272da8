import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { numbered, ofRecord, readStored, type StoredForm } from '@cadmus/model/stored/stored-form'
import * as z from 'zod'
import { writeAtomically } from '../data-dir.ts'
import type { Sealer } from '../sealer.ts'

/** The requested state of a package, restored after a restart. */
export const targetStates = ['STARTED', 'LOADED', 'UNLOADED'] as const
export type TargetState = (typeof targetStates)[number]

const versionSchema = z.object({
  /** The file of the package, next to the state. */
  file: z.string().regex(/^[\w-]+\.package$/),
  /** Reported while the package is not loaded. */
  id: z.string(),
  /** The uid of the owner; null in states of earlier releases. */
  owner: z.string().nullable().default(null),
  version: z.string(),
  contextPath: z.string(),
  stateOnStartup: z.string(),
  /** Title of the version's database; '' in states of earlier releases. */
  database: z.string().default(''),
  /** Whether it has run, so that it has tables; assumed for states of earlier releases. */
  hasStarted: z.boolean().default(true),
})
export type StoredVersion = z.output<typeof versionSchema>

const stateSchema = versionSchema.extend({
  requested: z.enum(targetStates),
  /** Permission to lose data, until a start succeeds. */
  allowDataLoss: z.boolean().default(false),
  /** The confirmed losses, as in `SchemaOptions`. */
  lossDigest: z.string().default(''),
  /** Warnings of the upload. */
  warnings: z.array(z.string()).default([]),
  /** The version that runs until this one has started or is stopped. */
  before: versionSchema.nullable().default(null),
})
export type StoredState = z.output<typeof stateSchema>
/** An uploaded version with the state requested for it. */
export type Version = Omit<StoredState, 'before'>

export const packageStateForm: StoredForm<StoredState> = {
  name: 'package state',
  format: 2,
  schema: stateSchema,
  unnumbered: 1,
  upgrades: { 1: ofRecord(({ wanted, ...state }) => ({ ...state, requested: wanted })) },
}
export type AllowedLoss = Pick<StoredState, 'allowDataLoss' | 'lossDigest'>
export const noLoss: AllowedLoss = { allowDataLoss: false, lossDigest: '' }

/** A version without the state requested for it. */
export function versionOf(version: StoredVersion): StoredVersion {
  return versionSchema.parse(version)
}

/** Prefix of folders being removed; not a valid package name. */
const removing = '.removing-'

/**
 * The packages on disk: a folder each with the zip, encrypted because its properties may contain passwords, and
 * `state.json`, which names the current file. A file is complete before it is named there, so an interrupted upload
 * changes nothing.
 */
export class PackageFolder {
  readonly #root: string
  readonly #sealer: Sealer
  /** Files of queued uploads, which the commit of another upload must not remove. */
  readonly #staged = new Set<string>()

  constructor(root: string, sealer: Sealer) {
    this.#root = root
    this.#sealer = sealer
    mkdirSync(root, { recursive: true, mode: 0o700 })
  }

  /**
   * The stored states by name. Removes incomplete packages; unreadable packages are kept and passed to `unreadable`.
   */
  stored(unreadable: (name: string, error: unknown) => void): Map<string, StoredState> {
    const states = new Map<string, StoredState>()
    const folders = readdirSync(this.#root, { withFileTypes: true }).filter(entry => entry.isDirectory())
    for (const name of folders.map(entry => entry.name).toSorted()) {
      try {
        const state = name.startsWith(removing) ? undefined : this.#stateOf(name)
        if (state === undefined) this.#discard(name)
        else {
          states.set(name, state)
          this.#tidy(name, state)
        }
      } catch (error) {
        unreadable(name, error)
      }
    }
    return states
  }

  /** Stores a zip without making it current. Returns the name of its file. */
  stage(name: string, zip: Uint8Array): string {
    const file = `${randomUUID()}.package`
    mkdirSync(join(this.#root, name), { recursive: true, mode: 0o700 })
    writeAtomically(join(this.#root, name, file), this.#sealer.seal(zip))
    this.#staged.add(file)
    return file
  }

  /** Makes a state current and removes other files, except queued ones. Files that cannot be removed stay. */
  commit(name: string, state: StoredState): void {
    writeAtomically(join(this.#root, name, 'state.json'), JSON.stringify(numbered(packageStateForm, state)))
    this.#staged.delete(state.file)
    try {
      this.#tidy(name, state)
    } catch {
      // The state is already stored. After an error the caller would drop the file that the state names.
    }
  }

  /** Removes a staged file. */
  drop(name: string, file: string): void {
    rmSync(join(this.#root, name, file), { force: true })
    this.#staged.delete(file)
    if (!existsSync(join(this.#root, name, 'state.json'))) this.#discard(name)
  }

  read(name: string, file: string): Uint8Array {
    return this.#sealer.open(readFileSync(join(this.#root, name, file)))
  }

  /** Removes a package atomically: it is renamed first. */
  remove(name: string): void {
    if (existsSync(join(this.#root, name))) this.#discard(name)
  }

  #discard(name: string): void {
    const target = name.startsWith(removing) ? name : `${removing}${randomUUID()}`
    if (target !== name) renameSync(join(this.#root, name), join(this.#root, target))
    rmSync(join(this.#root, target), { recursive: true, force: true })
  }

  #stateOf(name: string): StoredState | undefined {
    const file = join(this.#root, name, 'state.json')
    if (!existsSync(file)) return undefined
    return readStored(packageStateForm, JSON.parse(readFileSync(file, 'utf8')))
  }

  #tidy(name: string, { file, before }: StoredState): void {
    if (!existsSync(join(this.#root, name, file))) return
    const current = new Set([file, before?.file, 'state.json'])
    for (const other of readdirSync(join(this.#root, name))) {
      if (current.has(other) || this.#staged.has(other)) continue
      rmSync(join(this.#root, name, other), { force: true })
    }
  }
}
