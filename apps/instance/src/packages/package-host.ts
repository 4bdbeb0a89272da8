import { writeArchive } from '@cadmus/formats/archive'
import { ImportError } from '@cadmus/formats/import-error'
import { type ReadPackage, readPackages } from '@cadmus/formats/package/read'
import { namespaceOf } from '@cadmus/model/api/namespace'
import { defaults } from '@cadmus/model/limits'
import { forLog } from '../log.ts'
import { HttpError, invalid, notFound } from '../http-error.ts'
import { isSameOwner } from '../engine/package-owner.ts'
import type { Ground } from './ground.ts'
import { HostedPackage } from './hosted-package.ts'
import { ownerOf, withoutFiles } from './open-package.ts'
import { type AllowedLoss, noLoss, type StoredState } from './package-folder.ts'
import type { RunningPackage } from './running-package.ts'
import { noFailure, type PackageState, type WantedState } from './status.ts'

export type UploadWishes = AllowedLoss & {
  /** Null: what the package itself says. */
  readonly state: WantedState | null
  readonly replaceExisting: boolean
}

/** The instance itself, as its management API shows it: always there, and not to be touched. */
const core: PackageState = {
  name: 'core',
  id: 'cadmus.core',
  owner: null,
  version: defaults.applicationVersion,
  contextPath: '/',
  stateOnStartup: 'started',
  status: 'STARTED',
  ...noFailure,
  warnings: [],
  runningVersion: defaults.applicationVersion,
}
const reserved = ['core', 'cdm-client']

/** How often it is looked whether a package is to be tried again, in milliseconds. */
const retryLook = 1000
/** How long a start of the instance waits for its packages, in milliseconds: those of a database that is away come later. */
const restorePatience = 10_000

/** All packages of the instance. */
export class PackageHost {
  readonly #ground: Ground
  readonly #packages = new Map<string, HostedPackage>()
  readonly #retrying: NodeJS.Timeout

  constructor(ground: Ground) {
    this.#ground = ground
    this.#retrying = setInterval(() => {
      for (const hosted of this.#packages.values()) hosted.retry()
    }, retryLook).unref()
  }

  byNamespace(namespace: string): RunningPackage | undefined {
    return this.#ground.running.get(namespace)
  }

  /** Those that answer, by name. */
  running(): RunningPackage[] {
    return [...this.#ground.running.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** The instance itself first, the others by name. */
  list(): PackageState[] {
    const states = [...this.#packages.values()].map(({ state }) => state)
    return [core, ...states.toSorted((a, b) => (a.name < b.name ? -1 : 1))]
  }

  state(name: string): PackageState {
    return name === core.name ? core : this.#hosted(name).state
  }

  become(name: string, wanted: WantedState, loss: AllowedLoss): void {
    this.#hosted(name).become(wanted, loss)
  }

  async remove(name: string): Promise<void> {
    const hosted = this.#hosted(name)
    await hosted.remove()
    if (this.#packages.get(name) === hosted) this.#packages.delete(name)
  }

  /** Takes the packages of a zip: all of them, or none. What becomes of them their states tell. Throws an HttpError. */
  upload(zip: Uint8Array, wishes: UploadWishes): PackageState[] {
    const found = readable(zip)
    for (const read of found) this.#checkPlace(read, found, wishes)
    const staged = this.#stageAll(found, zip)
    return staged.map(({ read, file }) =>
      this.#place(read, storedStateOf({ read, file, database: this.#databaseOf(read) }, wishes)),
    )
  }

  /** Makes packages what they were before the instance ended. */
  async restore(): Promise<void> {
    const { folder, log } = this.#ground
    const unreadable = (name: string, error: unknown) =>
      log.error({ package: name, error: forLog(error) }, 'a package on the disk cannot be read')
    for (const [name, stored] of folder.stored(unreadable)) {
      const hosted = new HostedPackage(this.#ground, name, stored)
      this.#packages.set(name, hosted)
      hosted.restore()
    }
    const all = Promise.all([...this.#packages.values()].map(({ settled }) => settled))
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, restorePatience)
    await Promise.race([all, promise])
    clearTimeout(timer)
    const waiting = this.list().filter(({ status }) => status === 'STARTING' || status === 'LOADING')
    const packages = waiting.map(({ name, reason }) => ({ name, reason }))
    if (packages.length > 0) log.warn({ packages }, 'packages that are not started yet come later')
  }

  async close(): Promise<void> {
    clearInterval(this.#retrying)
    await Promise.all([...this.#packages.values()].map(hosted => hosted.close()))
  }

  #hosted(name: string): HostedPackage {
    if (reserved.includes(name)) throw new HttpError(409, `The package '${name}' is the instance itself.`)
    const hosted = this.#packages.get(name)
    if (hosted === undefined) throw notFound('The package')
    return hosted
  }

  #checkPlace(read: ReadPackage, found: readonly ReadPackage[], { replaceExisting }: UploadWishes): void {
    const { name } = read
    if (reserved.includes(name.toLowerCase())) throw new HttpError(409, `The name '${name}' is the instance's own.`)
    const there = this.#packages.get(name)
    if (there?.isLeaving) {
      const again = { 'retry-after': '5' }
      throw new HttpError(409, `The package '${name}' is being deleted. Try again in a moment.`, again)
    }
    // With the name of another's package nobody gets at its data.
    if (there !== undefined && !isSameOwner(there.state, ownerOf(read))) {
      throw new HttpError(
        409,
        `The name '${name}' is taken by a package of somebody else. Choose another name for this one.`,
      )
    }
    if (there !== undefined && !replaceExisting) {
      throw new HttpError(
        409,
        `There is a package '${name}' already. With replaceExisting=true this one takes its place.`,
      )
    }
    // Some disks tell no difference, and addresses have to.
    const names = [...this.#packages.keys(), ...found.map(read => read.name)]
    const other = names.find(known => known !== name && placeOf(known) === placeOf(name))
    if (other !== undefined) {
      throw new HttpError(409, `The package '${other}' has the addresses that '${name}' would have.`)
    }
  }

  #stageAll(found: readonly ReadPackage[], zip: Uint8Array): { read: ReadPackage; file: string }[] {
    const staged: { read: ReadPackage; file: string }[] = []
    try {
      for (const read of found) {
        const bytes = found.length === 1 ? zip : zipOf(read)
        staged.push({ read, file: this.#ground.folder.stage(read.name, bytes) })
      }
      return staged
    } catch (error) {
      for (const { read, file } of staged) this.#ground.folder.drop(read.name, file)
      throw error
    }
  }

  /** Of the database that the start will have; '' where it will say that there is none. */
  #databaseOf(read: ReadPackage): string {
    try {
      return this.#ground.databases.ofPackage(read).title
    } catch (error) {
      if (error instanceof HttpError) return ''
      throw error
    }
  }

  #place(read: ReadPackage, stored: StoredState): PackageState {
    const existing = this.#packages.get(read.name)
    if (existing !== undefined) {
      const warnings = movedTexts(existing, stored)
      if (warnings.length > 0) this.#ground.log.warn({ package: read.name, warnings }, 'a package has another database')
      existing.replace(withoutFiles(read), { ...stored, warnings })
      return existing.state
    }
    this.#commitNew(read.name, stored)
    const hosted = new HostedPackage(this.#ground, read.name, stored)
    this.#packages.set(read.name, hosted)
    hosted.restore()
    return hosted.state
  }

  #commitNew(name: string, stored: StoredState): void {
    try {
      this.#ground.folder.commit(name, stored)
    } catch (error) {
      this.#ground.folder.drop(name, stored.file)
      throw error
    }
  }
}

function readable(zip: Uint8Array): ReadPackage[] {
  try {
    return readPackages(zip)
  } catch (error) {
    if (error instanceof ImportError) throw invalid(error.message, error)
    throw error
  }
}

function storedStateOf(
  { read, file, database }: { read: ReadPackage; file: string; database: string },
  wishes: UploadWishes,
): StoredState {
  const { id, version, contextPath, stateOnStartup } = read
  const own = { started: 'STARTED', loaded: 'LOADED', unloaded: 'UNLOADED' } as const
  const wanted = wishes.state ?? own[stateOnStartup]
  const { allowDataLoss, lossDigest } = wanted === 'STARTED' ? wishes : noLoss
  const told = { id, owner: read.delivery.owner, version, contextPath, stateOnStartup, database }
  return { ...told, hasStarted: false, file, wanted, allowDataLoss, lossDigest, warnings: [], before: null }
}

/** What becomes of the records of the version before. */
function movedTexts(existing: HostedPackage, { version, database }: StoredState): string[] {
  const before = existing.database
  if (before === '' || database === '' || before === database) return []
  return [
    `Version ${version} has its data in ${database}; those of the version before stay in ${before}, and are not in it.`,
  ]
}

/** Of several in one zip each is kept by itself. */
function zipOf({ name, files }: ReadPackage): Uint8Array {
  const own = [...files.keys()].map(path => [`${name}/${path}`, files.get(path) ?? ''] as const)
  return writeArchive(new Map(own))
}

function placeOf(name: string): string {
  return namespaceOf(name).toLowerCase()
}
