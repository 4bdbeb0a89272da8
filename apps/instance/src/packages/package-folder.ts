import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { writeWhole } from '../data-dir.ts'
import type { Sealer } from '../sealer.ts'
import { wantedStates } from './status.ts'

const versionSchema = z.object({
  /** The package's own file beside the state. */
  file: z.string().regex(/^[\w-]+\.package$/),
  /** What is said of it while it is not loaded. */
  id: z.string(),
  /** The uid of the organisation that it is of; null in what earlier releases stored. */
  owner: z.string().nullable().default(null),
  version: z.string(),
  contextPath: z.string(),
  stateOnStartup: z.string(),
  /** Where its data are, for people; '' of those that were kept before this was. */
  database: z.string().default(''),
  /** Whether it has answered, so that it has tables; of what earlier releases stored nothing else is known. */
  hasStarted: z.boolean().default(true),
})
export type StoredVersion = z.output<typeof versionSchema>

const stateSchema = versionSchema.extend({
  wanted: z.enum(wantedStates),
  /** That its start may lose data was said, and it has not been through since. */
  allowDataLoss: z.boolean().default(false),
  /** Which data, as `SchemaWishes` has it. */
  lossDigest: z.string().default(''),
  /** Said of it when it came. */
  warnings: z.array(z.string()).default([]),
  /** What answers until this version does, or is stopped. */
  before: versionSchema.nullable().default(null),
})
export type StoredState = z.output<typeof stateSchema>
export type AllowedLoss = Pick<StoredState, 'allowDataLoss' | 'lossDigest'>
export const noLoss: AllowedLoss = { allowDataLoss: false, lossDigest: '' }

/** No package has such a name: what is being removed. */
const removing = '.removing-'

/**
 * The packages on the disk: a folder each, with the zip of the package, sealed because its properties may hold passwords, and
 * `state.json`, which names the file that counts. A file is written whole before that names it, and so an upload that is cut off, by
 * whatever, leaves what was there.
 */
export class PackageFolder {
  readonly #root: string
  readonly #sealer: Sealer
  /** Files that wait for their turn: another one that comes to count leaves them. */
  readonly #staged = new Set<string>()

  constructor(root: string, sealer: Sealer) {
    this.#root = root
    this.#sealer = sealer
    mkdirSync(root, { recursive: true, mode: 0o700 })
  }

  /** What is there, by name. What was never whole is removed; what cannot be read stays where it is, and `unreadable` hears of it. */
  stored(unreadable: (name: string, error: unknown) => void): Map<string, StoredState> {
    const found = new Map<string, StoredState>()
    const folders = readdirSync(this.#root, { withFileTypes: true }).filter(entry => entry.isDirectory())
    for (const name of folders.map(entry => entry.name).toSorted()) {
      try {
        const state = name.startsWith(removing) ? undefined : this.#stateOf(name)
        if (state === undefined) this.#discard(name)
        else {
          found.set(name, state)
          this.#tidy(name, state)
        }
      } catch (error) {
        unreadable(name, error)
      }
    }
    return found
  }

  /** Puts a package beside what is there, which still counts. Answers the name of its file. */
  stage(name: string, zip: Uint8Array): string {
    const file = `${randomUUID()}.package`
    mkdirSync(join(this.#root, name), { recursive: true, mode: 0o700 })
    writeWhole(join(this.#root, name, file), this.#sealer.seal(zip))
    this.#staged.add(file)
    return file
  }

  /** From here on this is the package; its other files go, but for those that wait. */
  commit(name: string, state: StoredState): void {
    writeWhole(join(this.#root, name, 'state.json'), JSON.stringify(state))
    this.#staged.delete(state.file)
    this.#tidy(name, state)
  }

  /** Gives up a staged file. */
  drop(name: string, file: string): void {
    rmSync(join(this.#root, name, file), { force: true })
    this.#staged.delete(file)
    if (!existsSync(join(this.#root, name, 'state.json'))) this.#discard(name)
  }

  read(name: string, file: string): Uint8Array {
    return this.#sealer.open(readFileSync(join(this.#root, name, file)))
  }

  /** Whole or not at all: after a renaming nothing of it is read again. */
  remove(name: string): void {
    if (existsSync(join(this.#root, name))) this.#discard(name)
  }

  #discard(name: string): void {
    const aside = name.startsWith(removing) ? name : `${removing}${randomUUID()}`
    if (aside !== name) renameSync(join(this.#root, name), join(this.#root, aside))
    rmSync(join(this.#root, aside), { recursive: true, force: true })
  }

  #stateOf(name: string): StoredState | undefined {
    const place = join(this.#root, name, 'state.json')
    if (!existsSync(place)) return undefined
    return stateSchema.parse(JSON.parse(readFileSync(place, 'utf8')))
  }

  #tidy(name: string, { file, before }: StoredState): void {
    if (!existsSync(join(this.#root, name, file))) return
    const kept = new Set([file, before?.file, 'state.json'])
    for (const other of readdirSync(join(this.#root, name))) {
      if (kept.has(other) || this.#staged.has(other)) continue
      rmSync(join(this.#root, name, other), { force: true })
    }
  }
}
