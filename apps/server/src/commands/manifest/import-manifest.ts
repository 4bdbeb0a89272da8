import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { defaults } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { auditTexts } from '@cadmus/model/messages/audit'
import { conflict, abandoned, invalid, severalRoots } from '../../errors/api-error.ts'
import { appendAudit, type AuditContext } from '../../store/audit.ts'
import {
  identifiersInUse,
  insertImportedEntities,
  insertImportedManifests,
  insertReportPage,
  type PreparedEntity,
  type PreparedManifest,
  publishImport,
  removeImport,
  updateStatistics,
} from '../../store/import-run.ts'
import { inWeighedBatches } from '../../store/statements.ts'
import { endJob, renewHeldJob, type HeldJob } from '../../store/job.ts'
import { existingEntities } from '../../store/entity-refresh.ts'
import { unmarkImportedContents } from '../../store/unreferenced-content.ts'
import { referrersWaitingForImport } from '../../store/open-reference.ts'
import { isManifestNameTaken, lockManifestNames } from '../../store/manifest.ts'
import type { Tx } from '../../store/database.ts'
import { entityCreated, manifestCreated } from '../audit.ts'
import { idsOf, transact, type Change, type Work } from '../change.ts'
import { resolveWaiting } from '../entity/resolve-references.ts'
import { checkManifestLimit, topManifests } from './manifest-permission.ts'
import type { FromReader, ImportInput, ImportLine, ImportOutcome, ImportProgress, ToReader } from './import-messages.ts'

/** Reads a file in a worker, which is terminated by the signal. */
export type Reader = { read: (input: ImportInput, signal: AbortSignal) => Promise<ImportOutcome> }

type Import = Omit<ImportInput, 'port'> & {
  /** The organisation's licence limits. */
  licence: string
  /** The job held by this server; a server that takes it over removes the stored rows. */
  job: RunningImport
}

export type RunningImport = HeldJob & { signal: AbortSignal; report: (progress: ImportProgress) => void }

export type Imported = {
  rootId: number
  counts: { files: number; entities: number; manifests: number; relationships: number }
  report: ImportLine[]
  reportLines: number
}

/**
 * Imports a CDM folder, a data model or SQL scripts. A worker reads it and returns rows in slices; each slice is a short transaction of
 * invisible rows, and the last one publishes all of them. A failure before that leaves nothing.
 */
export async function importManifest(change: Change, workers: Reader, importInput: Import): Promise<Imported> {
  const { store, organisationId } = change
  const { job } = importInput
  try {
    const writer = new SliceWriter(change, importInput)
    const { job: _job, licence: _licence, ...input } = importInput
    const read = (port: MessagePort, stop: AbortSignal) => workers.read({ ...input, port }, stop)
    const outcome = await runReader(read, job.signal, port => writer.serve(port))
    if (outcome.refused !== null) throw refusal(outcome)
    job.signal.throwIfAborted()
    await publish(change, job, writer.manifests, importInput.licence)
    await unmarkImportedContents(store.of(organisationId), organisationId, job.id)
    await updateStatistics(store.of(organisationId), outcome.counts.entities)
    return outcome
  } catch (error) {
    await removeImport(store, organisationId, job)
    throw error
  }
}

export function refusal({ refused: message, roots }: Extract<ImportOutcome, { refused: string }>) {
  return roots ? severalRoots(message, roots) : invalid(message, [{ path: 'manifestFile', message }])
}

/** Reads a file in a worker while `serve` answers its messages, which rejects if one fails. */
export async function runReader<T>(
  read: (port: MessagePort, signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
  serve: (port: MessagePort) => Promise<never>,
): Promise<T> {
  const { port1, port2 } = new MessageChannel()
  const failed = serve(port1)
  const stop = new AbortController()
  const reading = read(port2, AbortSignal.any([signal, stop.signal]))
  try {
    // A slice that cannot be stored ends the import and stops the waiting reader.
    return await Promise.race([reading, failed])
  } catch (error) {
    reading.catch(() => undefined)
    signal.throwIfAborted()
    throw explained(error)
  } finally {
    stop.abort()
    port1.close()
  }
}

/** Out of memory or a bug in the reader must not be reported as a failure of the server. */
function explained(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== 'ERR_WORKER_OUT_OF_MEMORY') return error
  return invalid('Reading the file exceeds the memory limit of an import. Split it and import its parts.')
}

/** Manifests in one transaction, weighted by members. */
const slice = { items: 50, weight: 1000 }

type Counted = Extract<FromReader, { kind: 'counted' }>

/** Stores the slices of the reader in order. */
class SliceWriter {
  manifests: readonly PreparedManifest[] = []
  #done = 0
  #total = 0
  readonly #change: Change
  readonly #given: Import

  constructor(change: Change, importInput: Import) {
    this.#change = change
    this.#given = importInput
  }

  get #importMark() {
    return { importId: this.#given.job.id, clock: this.#change.store.clock }
  }

  /** Serves the reader's messages; rejects if one fails. */
  serve(port: MessagePort): Promise<never> {
    return new Promise((_resolve, reject) => {
      port.on('message', (message: FromReader) => {
        this.#answer(message).then(answer => answer && port.postMessage(answer), reject)
      })
    })
  }

  async #answer(message: FromReader): Promise<ToReader | null> {
    if (message.kind === 'progress') {
      const { state, done, total } = message
      this.#given.job.report({ state, done, total, message: '' })
      return null
    }
    this.#given.job.signal.throwIfAborted()
    if (message.kind === 'counted') return this.#places(message)
    if (message.kind === 'entities') await this.#storeEntities(message.entities)
    else if (message.kind === 'manifests') await this.#storeManifests(message.manifests)
    else if (message.kind === 'report') await this.#storeReport(message)
    else throw new Error('An import stores no review.')
    return { kind: 'stored' }
  }

  async #places({ entities, manifests, tops, uids, outside }: Counted): Promise<ToReader> {
    const { store, organisationId } = this.#change
    const { licence } = this.#given
    await checkManifestLimit(store.of(organisationId), organisationId, { licence, requested: tops })
    this.#total = entities
    this.#given.job.report({ state: 'storing', done: 0, total: entities, message: '' })
    const taken = await identifiersInUse(store.of(organisationId), organisationId, uids)
    const existing = await existingEntities(store.of(organisationId), organisationId, outside)
    const ids = await store.ids.take(entities + manifests)
    return {
      kind: 'places',
      entityIds: ids.slice(0, entities),
      manifestIds: ids.slice(entities),
      ...taken,
      known: existing,
    }
  }

  async #storeEntities(entities: readonly PreparedEntity[]): Promise<void> {
    const { store, organisationId, actor } = this.#change
    const auditContext = await this.#telling(entities.length)
    const entries = entities.map(entity =>
      entityCreated(atFirst(entity), entity.hash, auditTexts.imported(entity.name)),
    )
    await store
      .of(organisationId)
      .transaction()
      .execute(async tx => {
        await this.#stayAlive(tx)
        await insertImportedEntities(tx, organisationId, this.#importMark, { entities, actor })
        await appendAudit(tx, auditContext, entries)
      })
    this.#done += entities.length
    this.#given.job.report({ state: 'storing', done: this.#done, total: this.#total, message: '' })
  }

  async #storeReport({ page, body }: Extract<FromReader, { kind: 'report' }>): Promise<void> {
    const { store, organisationId } = this.#change
    const jobId = this.#given.job.id
    await store
      .of(organisationId)
      .transaction()
      .execute(async tx => {
        await this.#stayAlive(tx)
        await insertReportPage(tx, organisationId, { jobId, page, body })
      })
  }

  async #storeManifests(manifests: readonly PreparedManifest[]): Promise<void> {
    const { store, organisationId, actor } = this.#change
    for (const part of inWeighedBatches(manifests, slice, ({ members }) => members.length)) {
      const auditContext = await this.#telling(part.length)
      await store
        .of(organisationId)
        .transaction()
        .execute(async tx => {
          await this.#stayAlive(tx)
          const hashes = await insertImportedManifests(tx, organisationId, this.#importMark, part, actor)
          const entries = part.map((manifest, index) =>
            manifestCreated(atFirst(manifest), hashes[index] ?? '', auditTexts.manifestImported(manifest.name)),
          )
          await appendAudit(tx, auditContext, entries)
        })
    }
    this.manifests = manifests
  }

  /** A server that removes the import waits for this slice; no further slice is stored. */
  async #stayAlive(tx: Tx): Promise<void> {
    if (!(await renewHeldJob(tx, this.#change.store, this.#given.job, 'running'))) throw abandoned('The import')
  }

  /** All entries of an import belong to one change and are invisible until it is published. */
  async #telling(count: number): Promise<AuditContext> {
    const { store, organisationId, actor } = this.#change
    const ids = idsOf(await store.ids.take(count))
    const { importId } = this.#importMark
    return { organisationId, actor, changeId: importId, importId, nextId: ids.next }
  }
}

function atFirst({ id, name, path, version }: PreparedEntity | PreparedManifest) {
  return { id, name, path, latest_version: version ?? defaults.version }
}

/** The last transaction: repeats the initial checks and makes everything visible. */
async function publish(
  change: Change,
  job: Import['job'],
  manifests: readonly PreparedManifest[],
  licence: string,
): Promise<void> {
  const { store, organisationId } = change
  const publishAll = async (tx: Tx, work: Work) => {
    await lockManifestNames(tx, organisationId)
    await checkManifestLimit(tx, organisationId, { licence, requested: topManifests(manifests) })
    for (const { name } of manifests) {
      if (await isManifestNameTaken(tx, organisationId, name)) throw conflict(messages.manifestExists(name))
    }
    const waiting = await referrersWaitingForImport(tx, organisationId, job.id)
    await publishImport(tx, organisationId, job)
    await resolveWaiting(tx, change, work, waiting)
    job.signal.throwIfAborted()
    if (!(await endJob(tx, store, job, 'done', ['running']))) throw abandoned('The import')
  }
  await transact(change, 1, publishAll, job.id)
}
