import { ImportError } from '@cadmus/formats/import-error'
import { type ReadPackage, readPackages } from '@cadmus/formats/package/read'
import type { PackageModel } from '@cadmus/model/api/package-model'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Logger } from 'pino'
import { fullDiskText, isFullDisk } from '../data-dir.ts'
import type { SchemaWishes } from '../engine/alter-tables.ts'
import type { OpenEngine } from '../engine/engine.ts'
import type { PackageOwner } from '../engine/package-owner.ts'
import { OperationError, OthersTablesError, SchemaError, SignInError } from '../engine/errors.ts'
import { forLog } from '../log.ts'
import { HttpError } from '../http-error.ts'
import type { Databases } from './databases.ts'
import type { PackageFolder, StoredVersion } from './package-folder.ts'
import type { RunningPackage } from './running-package.ts'
import type { Failure } from './status.ts'

/** What of a package is needed to start it, for as long as it is there: the model is kept small. */
export type LoadedPackage = Omit<ReadPackage, 'files' | 'model'> & { readonly packed: Uint8Array }

export type Opener = { readonly openEngine: OpenEngine; readonly databases: Databases; readonly log: Logger }

/** A database that does not answer keeps nobody waiting longer, in milliseconds. */
const patience = 60_000

/**
 * The package over its database. Once its tables are being changed it is waited for until that is over. Throws where it cannot be;
 * `failureOf` says why.
 */
export async function openPackage(
  { openEngine, databases, log }: Opener,
  loaded: LoadedPackage,
  wishes: Omit<SchemaWishes, 'owner'>,
): Promise<RunningPackage> {
  const { name, version } = loaded
  const model = modelOf(loaded)
  const clock = startClock()
  const place = databases.ofPackage({ ...loaded, model })
  const own = {
    ...wishes,
    owner: ownerOf(loaded),
    async beforeChanges() {
      if (!clock.stop()) throw lateError()
      await wishes.beforeChanges()
    },
  }
  let { isApart } = place
  const opening = openEngine(model, place.settings, own).catch((error: unknown) => {
    if (place.apart === null || !(error instanceof OthersTablesError)) throw error
    isApart = true
    return openEngine(model, place.apart, own)
  })
  const engine = await Promise.race([opening, clock.over]).finally(clock.stop)
  if (engine === undefined) {
    void opening.then(late => late.close()).catch((error: unknown) => log.warn({ error: forLog(error) }, 'opened late'))
    throw lateError()
  }
  const warnings = isApart ? [apartText(name)] : []
  const owner = loaded.delivery.owner ?? loaded.id.slice(0, loaded.id.indexOf('.'))
  return { name, owner, version, warnings, engine, api: engine.api, namespace: engine.api.namespace }
}

/** Whose it is, as its zip says. */
export function ownerOf({ id, delivery }: Pick<ReadPackage, 'id' | 'delivery'>): PackageOwner {
  return { id, owner: delivery.owner, adopts: delivery.adopts }
}

function apartText(name: string): string {
  return `Another package '${name}' was here before: its data are kept, and this one has a database file of its own.`
}

/** A package that answered before: throws where its tables are gone, or another version has changed them since. */
export function reopenPackage(opener: Opener, loaded: LoadedPackage): Promise<RunningPackage> {
  const { name, version } = loaded
  return openPackage(opener, loaded, {
    allowDataLoss: false,
    lossDigest: '',
    onlyReopens: true,
    async beforeChanges() {
      throw new SchemaError(`The tables of ${name} are not those of its version ${version} any more.`)
    },
    betweenTries: () => undefined,
    beforeCommit: () => undefined,
  })
}

/** A package as it is on the disk. Throws where it cannot be read. */
export function readPackage(folder: PackageFolder, name: string, { file }: StoredVersion): LoadedPackage {
  const own = readPackages(folder.read(name, file)).find(found => found.name === name)
  if (own === undefined) throw new HttpError(500, 'Its file does not hold it any more.')
  return withoutFiles(own)
}

/** The zip itself is not needed to run it, and may be a hundred megabytes; the model is a tenth of what it would be. */
export function withoutFiles({ files: _files, model, ...loaded }: ReadPackage): LoadedPackage {
  return { ...loaded, packed: deflateRawSync(JSON.stringify(model), { level: 1 }) }
}

export function modelOf({ packed }: LoadedPackage): PackageModel {
  const model: PackageModel = JSON.parse(inflateRawSync(packed).toString('utf8'))
  return model
}

/** Why a package could not be loaded or started, for who manages the instance: nothing of its inside. */
export function failureOf(error: unknown, log: Logger, name: string): Failure {
  log.warn({ package: name, error: forLog(error) }, 'a package failed')
  return { reason: reasonOf(error), steps: error instanceof SchemaError ? error.steps : [] }
}

function reasonOf(error: unknown): string {
  const isOurs = [ImportError, OperationError, SchemaError, HttpError].some(type => error instanceof type)
  if (isOurs && error instanceof Error) return error.message
  if (isFullDisk(error)) return fullDiskText
  return 'Something went wrong in the instance; its log says more.'
}

/** Whether the same may succeed a little later: its database was away. */
export function mayPass(error: unknown): boolean {
  if (error instanceof SignInError) return false
  if (error instanceof OperationError) return error.fault.kind === 'unavailable'
  return error instanceof HttpError && error.status === 503
}

function lateError(): HttpError {
  return new HttpError(503, 'Its database did not answer in time.')
}

/** `stop` answers whether it was in time. */
function startClock() {
  let isOver = false
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => {
    isOver = true
    resolve(undefined)
  }, patience)
  return {
    over: promise,
    stop: () => {
      clearTimeout(timer)
      return !isOver
    },
  }
}
