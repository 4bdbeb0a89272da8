import { writeArchive } from '@cadmus/formats/archive'
import { ImportError } from '@cadmus/formats/import-error'
import { type ReadPackage, readPackages } from '@cadmus/formats/package/read'
import { namespaceOf } from '@cadmus/model/api/api'
import { defaults } from '@cadmus/model/limits'
import { forLog } from '../log.ts'
import { HttpError, invalid, notFound } from '../http-error.ts'
import { isSameOwner } from '../engine/package-table.ts'
import type { PackageState } from './lifecycle.ts'
import {
  type LoadedPackage,
  ownerOf,
  previewOfStart,
  type RunningPackage,
  type StartPreview,
  withoutFiles,
} from './open-package.ts'
import { type AllowedLoss, noLoss, type TargetState, type Version } from './package-folder.ts'
import { PackageRunner, type Services } from './runner.ts'

export type UploadOptions = AllowedLoss & {
  /** Null: the state named in the package. */
  readonly state: TargetState | null
  readonly replaceExisting: boolean
}

/** `warnings`: also the location of its data if that changes. */
export type PackagePreview = Omit<StartPreview, 'counts'> & {
  readonly name: string
  readonly version: string
  /** Present if they were requested. */
  readonly counts?: StartPreview['counts']
}

/** The entry of the instance itself in the management API; read-only. */
const core: PackageState = {
  name: 'core',
  id: 'cadmus.core',
  owner: null,
  version: defaults.applicationVersion,
  contextPath: '/',
  stateOnStartup: 'started',
  status: 'STARTED',
  reason: '',
  steps: [],
  warnings: [],
  runningVersion: defaults.applicationVersion,
}
const reserved = ['core', 'cdm-client']

/** Interval of checks for due retries, in milliseconds. */
const retryInterval = 1000
/**
 * How long the start of the instance waits for its packages, in milliseconds; packages with an unavailable database
 * follow later.
 */
const restoreTimeout = 10_000

/** All packages of the instance. */
export class PackageHost {
  readonly #services: Services
  /** Names of packages whose records are being counted. */
  readonly #counting = new Set<string>()
  readonly #packages = new Map<string, PackageRunner>()
  readonly #retrying: NodeJS.Timeout
  #isClosing = false

  constructor(services: Services) {
    this.#services = services
    this.#retrying = setInterval(() => {
      for (const hosted of this.#packages.values()) hosted.retry()
    }, retryInterval).unref()
  }

  byNamespace(namespace: string): RunningPackage | undefined {
    return this.#services.running.get(namespace)
  }

  /** Running packages, sorted by name. */
  running(): RunningPackage[] {
    return [...this.#services.running.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** The instance itself first, others sorted by name. */
  list(): PackageState[] {
    const states = [...this.#packages.values()].map(({ state }) => state)
    return [core, ...states.toSorted((a, b) => (a.name < b.name ? -1 : 1))]
  }

  state(name: string): PackageState {
    return name === core.name ? core : this.#hosted(name).state
  }

  setTarget(name: string, requested: TargetState, loss: AllowedLoss): void {
    this.#requireOpen()
    this.#hosted(name).setTarget(requested, loss)
  }

  async remove(name: string): Promise<void> {
    this.#requireOpen()
    const hosted = this.#hosted(name)
    await hosted.remove()
    if (this.#packages.get(name) === hosted) this.#packages.delete(name)
  }

  /** Uploads all packages of a zip or none. Their states report the outcome. Throws an `HttpError`. */
  upload(zip: Uint8Array, options: UploadOptions): PackageState[] {
    this.#requireOpen()
    const packages = readable(zip)
    for (const read of packages) this.#checkName(read, packages, options)
    const staged = this.#stageAll(packages, zip).map(({ read, file }) => {
      return { read, stored: storedStateOf({ read, file, database: this.#databaseOf(read) }, options) }
    })
    this.#commitNew(staged)
    return staged.map(({ read, stored }) => this.#place(read, stored))
  }

  /** The warnings of an upload, without changing anything. Throws an `HttpError`. */
  preview(zip: Uint8Array, options: { counts: boolean }): Promise<PackagePreview[]> {
    this.#requireOpen()
    const packages = readable(zip)
    for (const read of packages) this.#checkName(read, packages, { replaceExisting: true })
    return Promise.all(packages.map(read => this.#previewOf(withoutFiles(read), this.#movedBy(read), options)))
  }

  #movedBy(read: ReadPackage): string[] {
    const existing = this.#packages.get(read.name)
    return existing === undefined
      ? []
      : movedWarnings(existing, { version: read.version, database: this.#databaseOf(read) })
  }

  async #previewOf(
    loaded: LoadedPackage,
    moved: readonly string[],
    options: { counts: boolean },
  ): Promise<PackagePreview> {
    const { name, version } = loaded
    const { warnings, obstacles, counts } = await previewOfStart(
      this.#services,
      loaded,
      options.counts ? { counting: this.#counting } : {},
    )
    const preview = { name, version, warnings: [...moved, ...warnings], obstacles }
    return options.counts ? { ...preview, counts } : preview
  }

  /** Restores the packages after a restart. */
  async restore(): Promise<void> {
    const { folder, log } = this.#services
    const unreadable = (name: string, error: unknown) =>
      log.error({ package: name, error: forLog(error) }, 'a stored package cannot be read')
    for (const [name, stored] of folder.stored(unreadable)) {
      this.#packages.set(name, new PackageRunner(this.#services, name, stored))
    }
    const all = Promise.all([...this.#packages.values()].map(({ settled }) => settled))
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, restoreTimeout)
    await Promise.race([all, promise])
    clearTimeout(timer)
    const waiting = this.list().filter(({ status }) => status === 'STARTING' || status === 'LOADING')
    const packages = waiting.map(({ name, reason }) => ({ name, reason }))
    if (packages.length > 0) log.warn({ packages }, 'some packages have not started yet')
  }

  /** Refuses later requests, which would not be completed. Queued ones are left to the next start. */
  async close(): Promise<void> {
    this.#isClosing = true
    clearInterval(this.#retrying)
    await Promise.all([...this.#packages.values()].map(hosted => hosted.close()))
  }

  #requireOpen(): void {
    if (this.#isClosing) throw new HttpError(503, 'The instance is shutting down. Try again.', { 'retry-after': '10' })
  }

  #hosted(name: string): PackageRunner {
    if (reserved.includes(name)) throw new HttpError(409, `The package '${name}' is the instance itself.`)
    const hosted = this.#packages.get(name)
    if (hosted === undefined) throw notFound('The package')
    return hosted
  }

  #checkName(
    read: ReadPackage,
    packages: readonly ReadPackage[],
    { replaceExisting }: Pick<UploadOptions, 'replaceExisting'>,
  ): void {
    const { name } = read
    if (reserved.includes(name.toLowerCase())) throw new HttpError(409, `The name '${name}' is reserved.`)
    const existing = this.#packages.get(name)
    if (existing?.isRemoving) {
      const again = { 'retry-after': '5' }
      throw new HttpError(409, `The package '${name}' is being deleted. Try again in a moment.`, again)
    }
    // A package of another owner must not reach the data of this name.
    if (existing !== undefined && !isSameOwner(existing.state, ownerOf(read))) {
      throw new HttpError(409, `The name '${name}' belongs to a package of another owner. Choose another name.`)
    }
    if (existing !== undefined && !replaceExisting) {
      throw new HttpError(409, `A package '${name}' already exists. Use replaceExisting=true to replace it.`)
    }
    // Some file systems ignore case, and addresses must differ.
    const names = [...this.#packages.keys(), ...packages.map(read => read.name)]
    const other = names.find(one => one !== name && addressKeyOf(one) === addressKeyOf(name))
    if (other !== undefined) {
      throw new HttpError(409, `The addresses of '${name}' are already used by the package '${other}'.`)
    }
  }

  #stageAll(packages: readonly ReadPackage[], zip: Uint8Array): { read: ReadPackage; file: string }[] {
    const staged: { read: ReadPackage; file: string }[] = []
    try {
      for (const read of packages) {
        const bytes = packages.length === 1 ? zip : zipOf(read)
        staged.push({ read, file: this.#services.folder.stage(read.name, bytes) })
      }
      return staged
    } catch (error) {
      for (const { read, file } of staged) this.#services.folder.drop(read.name, file)
      throw error
    }
  }

  /** The title of the database; '' if there is none, which the start will report. */
  #databaseOf(read: ReadPackage): string {
    try {
      return this.#services.databases.ofPackage(read).title
    } catch (error) {
      if (error instanceof HttpError) return ''
      throw error
    }
  }

  /** Stores the new packages of an upload. If one cannot be stored, nothing of the upload remains. */
  #commitNew(uploads: readonly { readonly read: ReadPackage; readonly stored: Version }[]): void {
    const { folder } = this.#services
    const committed = new Set<string>()
    try {
      for (const { read, stored } of uploads) {
        if (this.#packages.has(read.name)) continue
        folder.commit(read.name, { ...stored, before: null })
        committed.add(read.name)
      }
    } catch (error) {
      for (const { read, stored } of uploads) {
        if (committed.has(read.name)) folder.remove(read.name)
        else folder.drop(read.name, stored.file)
      }
      throw error
    }
  }

  #place(read: ReadPackage, stored: Version): PackageState {
    const existing = this.#packages.get(read.name)
    if (existing !== undefined) {
      const warnings = movedWarnings(existing, stored)
      if (warnings.length > 0)
        this.#services.log.warn({ package: read.name, warnings }, 'a package has another database')
      existing.replace(withoutFiles(read), { ...stored, warnings })
      return existing.state
    }
    const hosted = new PackageRunner(this.#services, read.name, { ...stored, before: null })
    this.#packages.set(read.name, hosted)
    return hosted.state
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
  options: UploadOptions,
): Version {
  const { id, version, contextPath, stateOnStartup } = read
  const own = { started: 'STARTED', loaded: 'LOADED', unloaded: 'UNLOADED' } as const
  const requested = options.state ?? own[stateOnStartup]
  const { allowDataLoss, lossDigest } = requested === 'STARTED' ? options : noLoss
  const common = { id, owner: read.delivery.owner, version, contextPath, stateOnStartup, database }
  return { ...common, hasStarted: false, file, requested, allowDataLoss, lossDigest, warnings: [] }
}

/** A warning if the new version uses another database. */
function movedWarnings(
  existing: PackageRunner,
  { version, database }: Pick<Version, 'version' | 'database'>,
): string[] {
  const before = existing.database
  if (before === '' || database === '' || before === database) return []
  return [`Version ${version} uses ${database}. The data of the previous version stay in ${before}.`]
}

/** Each package of a zip is stored separately. */
function zipOf({ name, files }: ReadPackage): Uint8Array {
  const own = [...files.keys()].map(path => [`${name}/${path}`, files.get(path) ?? ''] as const)
  return writeArchive(new Map(own))
}

function addressKeyOf(name: string): string {
  return namespaceOf(name).toLowerCase()
}
