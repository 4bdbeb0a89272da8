import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { canonicalJson } from '@cadmus/model/content'
import { columnsOf } from '../../store/entity-column.ts'
import { contentColumns } from '../../store/entity-row.ts'
import { referencesOf } from '../../store/entity-reference.ts'
import { openReferencesOf, referrersWaitingForImport } from '../../store/open-reference.ts'
import { abandoned } from '../../errors/api-error.ts'
import { appendAudit } from '../../store/audit.ts'
import { inBatches } from '../../store/batches.ts'
import { hashOf } from '../../store/content.ts'
import type { Tx } from '../../store/database.ts'
import type { NewEntity } from '../../store/entity.ts'
import { insertImportedEntities, publishImport } from '../../store/import-run.ts'
import { endJob, insertJob, renewHeldJob, whileHeld, type HeldJob } from '../../store/job.ts'
import { unmarkImportedContents } from '../../store/unreferenced-content.ts'
import type { PreparedEntity } from '../../store/prepared-import.ts'
import { updateStatistics } from '../../store/statistics.ts'
import { removeImport } from '../../store/import-removal.ts'
import { idsOf, transact, type Change, type Work } from '../change.ts'
import { resolveWaiting } from '../entity/resolve-references.ts'
import { MadeColumns, withPinnedEntities } from '../entity/pin-targets.ts'
import { creations } from './copies.ts'

const slice = 25

/**
 * Stores many entities like an import: in short transactions with invisible rows, published together with the effects of `last`. Yields
 * between slices.
 */
export async function insertInSlices(
  change: Change,
  entities: readonly NewEntity[],
  describe: (entity: NewEntity) => string,
  last: (tx: Tx, work: Work) => Promise<void>,
): Promise<void> {
  const { store, organisationId, actor } = change
  const db = store.of(organisationId)
  const job = { id: await store.ids.one(), holder: randomUUID() }
  const place = { organisationId, kind: 'insert' as const, key: String(job.id) }
  await insertJob(store, { ...place, ...job, userId: actor.userId, state: 'running' })
  const made = new MadeColumns(new Map(entities.map(({ id, content }) => [id, content])))
  const publish = async (tx: Tx, work: Work) => {
    await last(tx, work)
    const waiting = await referrersWaitingForImport(tx, organisationId, job.id)
    await publishImport(tx, organisationId, job)
    await resolveWaiting(tx, change, work, waiting)
    if (!(await endJob(tx, store, job, 'done', ['running']))) throw abandoned()
  }
  try {
    await whileHeld(store, job, async () => {
      for (const part of inBatches(entities, slice)) {
        await insertSlice(change, job, await withPinnedEntities(db, organisationId, part, made), describe)
        await nextTurn()
      }
      await transact(change, 2, publish, job.id)
    })
  } catch (error) {
    await removeImport(store, organisationId, job)
    await endJob(db, store, job, 'failed')
    throw error
  }
  await unmarkImportedContents(db, organisationId, job.id)
  await updateStatistics(db, entities.length)
}

async function insertSlice(
  { store, organisationId, actor }: Change,
  job: HeldJob,
  part: readonly NewEntity[],
  describe: (entity: NewEntity) => string,
): Promise<void> {
  const entities = part.map(prepare)
  const hashes = entities.map(entity => entity.hash)
  const ids = idsOf(await store.ids.take(part.length))
  const auditContext = { organisationId, actor, changeId: job.id, importId: job.id, nextId: ids.next }
  const importMark = { importId: job.id, clock: store.clock }
  await store
    .of(organisationId)
    .transaction()
    .execute(async tx => {
      if (!(await renewHeldJob(tx, store, job, 'running'))) throw abandoned()
      await insertImportedEntities(tx, organisationId, importMark, { entities, actor })
      await appendAudit(tx, auditContext, creations(part, hashes, describe))
    })
}

function prepare({ id, path, content, manifestId, corpusPath }: NewEntity): PreparedEntity {
  const body = canonicalJson(content)
  const references = referencesOf(content)
  return {
    id,
    uid: content.uid,
    name: content.name,
    path,
    corpusPath: corpusPath ?? null,
    manifestId: manifestId ?? 0,
    row: contentColumns(content, path),
    resolved: references.every(({ toId }) => toId > 0) ? 1 : 0,
    body,
    hash: hashOf(body),
    references,
    columns: columnsOf(content),
    open: openReferencesOf(content),
  }
}
