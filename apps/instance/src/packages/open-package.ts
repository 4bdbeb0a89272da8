import { ImportError } from '@cadmus/formats/import-error'
import { type ReadPackage, readPackages } from '@cadmus/formats/package/read'
import type { PackageModel } from '@cadmus/model/api/package-model'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Logger } from 'pino'
import { fullDiskText, isFullDisk } from '../data-dir.ts'
import { setTimeout as wait } from 'node:timers/promises'
import { previewTimeout, type SchemaCounts, type SchemaOptions } from '../engine/alter-tables.ts'
import { type OpenEngine, previewStart, type ServedPackage } from '../engine/engine.ts'
import type { PackageOwner } from '../engine/package-table.ts'
import { type DatabaseSettings, isSignInError } from '../drivers/driver.ts'
import { OperationError, OthersTablesError, SchemaError, type SchemaObstacle, SignInError } from '../engine/errors.ts'
import { forLog } from '../log.ts'
import { HttpError } from '../http-error.ts'
import type { Databases } from './databases.ts'
import type { PackageFolder, StoredVersion } from './package-folder.ts'
import type { Failure } from './lifecycle.ts'

/** Data kept in memory to start a package; the model is compressed. */
export type LoadedPackage = Omit<ReadPackage, 'files' | 'model'> & { readonly packed: Uint8Array }

export type Opener = { readonly openEngine: OpenEngine; readonly databases: Databases; readonly log: Logger }

export type RunningPackage = ServedPackage & {
  readonly name: string
  /** The namespace in addresses. */
  readonly namespace: string
  readonly version: string
  readonly database: DatabaseSettings
  /** Warnings for administrators about its database. */
  readonly warnings: readonly string[]
}

/** Time limit for opening a package, in milliseconds. */
const timeout = 60_000

/**
 * Opens a package on its database. The timeout does not apply once tables are being changed. Throws if it fails;
 * `failureOf` gives the reason.
 */
export async function openPackage(
  { openEngine, databases, log }: Opener,
  loaded: LoadedPackage,
  options: Omit<SchemaOptions, 'owner'>,
): Promise<RunningPackage> {
  const { name, version } = loaded
  const model = modelOf(loaded)
  const clock = startClock()
  const database = databases.ofPackage({ ...loaded, model })
  const own = {
    ...options,
    owner: ownerOf(loaded),
    async beforeChanges() {
      if (!clock.stop()) throw lateError()
      await options.beforeChanges()
    },
  }
  let { isApart } = database
  const opening = openEngine(model, database.settings, own).catch((error: unknown) => {
    if (database.apart === null || !(error instanceof OthersTablesError)) throw error
    isApart = true
    return openEngine(model, database.apart, own)
  })
  const engine = await Promise.race([opening, clock.over]).finally(clock.stop)
  if (engine === undefined) {
    void opening.then(late => late.close()).catch((error: unknown) => log.warn({ error: forLog(error) }, 'opened late'))
    throw lateError()
  }
  const warnings = isApart ? [apartText(name)] : []
  const { owner } = loaded.delivery
  const [organisation = ''] = loaded.id.split('.')
  const { api } = engine
  const { settings } = isApart && database.apart !== null ? { settings: database.apart } : database
  return { name, owner, organisation, version, database: settings, warnings, engine, api, namespace: api.namespace }
}

/** Whether a running package should connect anew: its credentials were replaced, or its database refuses them. */
export async function shouldReconnect(
  { databases }: Opener,
  { database, engine }: RunningPackage,
  loaded: LoadedPackage,
): Promise<boolean> {
  if (database.dialect === 'sqlite') return false
  const { settings } = databases.ofPackage({ ...loaded, model: modelOf(loaded) })
  if (JSON.stringify(settings) !== JSON.stringify(database)) return true
  return engine.check().then(() => false, isRefusedSignIn)
}

function isRefusedSignIn(error: unknown): boolean {
  const { cause } = error instanceof OperationError ? error : { cause: null }
  return isSignInError(cause)
}

/** The owner stated in the zip. */
export function ownerOf({ id, delivery }: Pick<ReadPackage, 'id' | 'delivery'>): PackageOwner {
  return { id, owner: delivery.owner, adopts: delivery.adopts }
}

function apartText(name: string): string {
  return `The data of an earlier package '${name}' are kept. This package has its own database file.`
}

/** Reopens a package that ran before. Throws if its tables are missing or were changed by another version. */
export function reopenPackage(opener: Opener, loaded: LoadedPackage): Promise<RunningPackage> {
  const { name, version } = loaded
  return openPackage(opener, loaded, {
    allowDataLoss: false,
    lossDigest: '',
    onlyReopens: true,
    async beforeChanges() {
      throw new SchemaError(`The tables of ${name} no longer match its version ${version}.`)
    },
    betweenTries: () => undefined,
    beforeCommit: () => undefined,
  })
}

/** Maximum characters of a warning. */
const maxLength = 500

/** What a start would report. `obstacles`: the records that prevent it, at most `maxObstacles`. */
export type StartPreview = {
  readonly warnings: readonly string[]
  readonly obstacles: readonly SchemaObstacle[]
  /** Null if they were not requested, or are unknown. */
  readonly counts: SchemaCounts | null
}

const maxObstacles = 20
const nothing: StartPreview = { warnings: [], obstacles: [], counts: null }

/**
 * Warnings if a start on the existing tables would be refused. The start reports other problems. `counting`: requests counts; has the
 * names of packages that are being counted, which can go on after the answer, and are not counted twice at a time.
 */
export async function previewOfStart(
  { databases, log }: Opener,
  loaded: LoadedPackage,
  { counting }: { counting?: Set<string> } = {},
): Promise<StartPreview> {
  const late = new AbortController()
  const deadline = performance.now() + previewTimeout
  try {
    const model = modelOf(loaded)
    const { settings } = databases.ofPackage({ ...loaded, model })
    const counts = counting !== undefined && !counting.has(loaded.name)
    if (counts) counting.add(loaded.name)
    const preview = await Promise.race([
      previewStart(model, settings, ownerOf(loaded), { counts, deadline }).finally(() => {
        if (counts) counting.delete(loaded.name)
      }),
      wait(previewTimeout, 'late' as const, { signal: late.signal, ref: false }),
    ])
    if (preview === 'late') {
      log.info({ package: loaded.name }, 'the preview of a package start timed out')
      return nothing
    }
    const { error } = preview
    if (error === null) return { ...nothing, counts: preview.counts }
    const warning = bounded(`Its start would be refused: ${error.message}`)
    const obstacles = error.obstacles.slice(0, maxObstacles).map(one => ({ ...one, text: bounded(one.text) }))
    return { warnings: [warning], obstacles, counts: preview.counts }
  } catch (error) {
    log.info({ package: loaded.name, error: forLog(error) }, 'the preview of a package start failed')
    return nothing
  } finally {
    late.abort()
  }
}

function bounded(text: string): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`.toWellFormed()
}

/** Reads a stored package. Throws if it cannot be read. */
export function readPackage(folder: PackageFolder, name: string, { file }: StoredVersion): LoadedPackage {
  const own = readPackages(folder.read(name, file)).find(one => one.name === name)
  if (own === undefined) throw new HttpError(500, 'The stored file does not contain the package.')
  return withoutFiles(own)
}

/** Drops the files, which may have a hundred megabytes, and compresses the model to about a tenth. */
export function withoutFiles({ files: _files, model, ...loaded }: ReadPackage): LoadedPackage {
  return { ...loaded, packed: deflateRawSync(JSON.stringify(model), { level: 1 }) }
}

function modelOf({ packed }: LoadedPackage): PackageModel {
  const model: PackageModel = JSON.parse(inflateRawSync(packed).toString('utf8'))
  return model
}

/** The reason of a failure for administrators, without internals. */
export function failureOf(error: unknown, log: Logger, name: string): Failure {
  log.warn({ package: name, error: forLog(error) }, 'a package failed')
  return { reason: reasonOf(error), steps: error instanceof SchemaError ? error.steps : [] }
}

function reasonOf(error: unknown): string {
  const isKnown = [ImportError, OperationError, SchemaError, HttpError].some(type => error instanceof type)
  if (isKnown && error instanceof Error) return error.message
  if (isFullDisk(error)) return fullDiskText
  return 'Something went wrong in the instance. See its log.'
}

/** Whether a retry may succeed, because the database was unavailable. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof SignInError) return false
  if (error instanceof OperationError) return error.fault.kind === 'unavailable'
  return error instanceof HttpError && error.status === 503
}

function lateError(): HttpError {
  return new HttpError(503, 'The database did not respond in time.')
}

/** `stop` returns whether it was called in time. */
function startClock() {
  let isOver = false
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => {
    isOver = true
    resolve(undefined)
  }, timeout)
  return {
    over: promise,
    stop: () => {
      clearTimeout(timer)
      return !isOver
    },
  }
}
