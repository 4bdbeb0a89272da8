import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { canonicalJson } from '@cadmus/model/content'
import type { EntityContent } from '@cadmus/model/entity'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { defaults } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { customEntityPath, foldName } from '@cadmus/model/paths'
import { newUid } from '@cadmus/model/uid'
import { entityTexts } from '@cadmus/model/search/search-texts'
import { withoutEnumerations } from '@cadmus/model/enumeration'
import { abandoned, conflict, invalid, notFound } from '../../errors/api-error.ts'
import { appendAudit, type AuditChange } from '../../store/audit.ts'
import { inBatches } from '../../store/statements.ts'
import { hashOf } from '../../store/content.ts'
import type { Tx } from '../../store/database.ts'
import { columnsOf } from '../../store/entity-column.ts'
import { referencesOf } from '../../store/entity-reference.ts'
import { withCurrentNames } from '../../store/entity-refresh.ts'
import { contentColumns, entitiesByIds, type NewEntity, type StoredEntity } from '../../store/entity.ts'
import {
  insertImportedEntities,
  type PreparedEntity,
  publishImport,
  removeImport,
  updateStatistics,
} from '../../store/import-run.ts'
import { endJob, type HeldJob, insertJob, renewHeldJob, whileHeld } from '../../store/job.ts'
import { openReferencesOf, referrersWaitingForImport } from '../../store/open-reference.ts'
import { searchParts } from '../../store/search-parts.ts'
import { entityPartsByIds } from '../../store/resolved-rows.ts'
import { unmarkImportedContents } from '../../store/unreferenced-content.ts'
import { entityCreated } from '../audit.ts'
import { type Change, type Ids, idsOf, transact, type Work } from '../change.ts'
import { addColumnUids, byFoldedName, copyEntity } from '../entity/copy-entity.ts'
import { MadeColumns, withPinnedEntities } from '../entity/pin-targets.ts'
import { resolveWaiting } from '../entity/resolve-references.ts'

const batchSize = 100

/**
 * Current names of the entities to list in place; 404 for one deleted since it was read. Call it under the name lock, which deletions and
 * renames take too.
 */
export async function currentNames(tx: Tx, organisationId: number, ids: readonly number[]): Promise<string[]> {
  const rows = new Map((await entityPartsByIds(tx, organisationId, ids)).map(row => [row.id, row]))
  return ids.map(id => {
    const row = rows.get(id)
    if (!row) throw notFound(`The entity ${id}`)
    return row.name
  })
}

/** Refuses a repeated name, or one in use in the manifest. */
export function checkNames(names: readonly string[], present: readonly string[], field: string): void {
  const used = new Set(present.map(foldName))
  for (const name of names) {
    if (used.has(foldName(name))) {
      const message = messages.entityExists(name)
      throw invalid(message, [{ path: field, message }])
    }
    used.add(foldName(name))
  }
}

type Owner = { id: number; name: string }

/**
 * Independent copies, each for its manifest. Relationships are redirected to entities of the same name in the destination, including the
 * copies; a copied parent is replaced by its copy.
 */
export async function copiesOf(
  sources: readonly StoredEntity[],
  ownerOf: (source: StoredEntity) => Owner,
  resolvedModel: readonly EntityReference[],
  ids: Ids,
): Promise<NewEntity[]> {
  const copies = new Map<number, EntityReference>()
  const columns = new Map<string, string>()
  const many = sources.length > batchSize
  for (const part of inBatches(sources, batchSize)) {
    for (const source of part) {
      const { id, name } = source
      const path = customEntityPath(ownerOf(source).name, name)
      copies.set(id, { id: ids.next(), uid: newUid(), name, path })
      addColumnUids(source.content, columns)
    }
    if (many) await nextTurn()
  }
  const entitiesByName = byFoldedName([...resolvedModel, ...copies.values()])
  const made: NewEntity[] = []
  for (const part of inBatches(sources, batchSize)) {
    for (const source of part) {
      const self = copies.get(source.id)
      if (self === undefined) continue
      const content = withoutEnumerations(copyEntity(source.content, { self, copies, entitiesByName, columns }))
      made.push({ id: self.id, path: self.path, content, manifestId: ownerOf(source).id })
    }
    if (many) await nextTurn()
  }
  return made
}

/** Audit entries of new entities, in the order of their hashes. */
export function creations(
  entities: readonly NewEntity[],
  hashes: readonly string[],
  describe: (entity: NewEntity) => string,
): AuditChange[] {
  return entities.map((entity, index) => {
    const { id, path, content, version = defaults.version } = entity
    const thing = { id, path, name: content.name, latest_version: version }
    return entityCreated(thing, hashes[index] ?? '', describe(entity))
  })
}

const checkedAtOnce = 25
const attempts = 5

/** A source has been detached from a deleted entity since it was read; its copy would keep the dangling reference. */
class SourcesChanged extends Error {}

/** Runs an operation that copies entities, and repeats it if the sources changed in between. */
export async function retryIfSourcesChanged<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof SourcesChanged)) throw error
    }
  }
  throw conflict(messages.changesTooOften)
}

/**
 * Checks that the sources are unchanged. They are read before the name lock is taken; a deletion in between detaches them, but not their
 * unpublished copies. Call it under the lock, after which deletions see the copies.
 */
export async function checkUnchanged(tx: Tx, organisationId: number, sources: readonly StoredEntity[]): Promise<void> {
  // Predefined entities refer only to each other.
  const own = sources.filter(source => source.organisation_id === organisationId)
  const ids = own.map(({ id }) => id)
  const rows = new Map((await entityPartsByIds(tx, organisationId, ids)).map(row => [row.id, row]))
  const changed = own.filter(({ id, content_hash }) => rows.get(id)?.content_hash !== content_hash)
  for (const part of inBatches(changed, checkedAtOnce)) {
    const partIds = part.map(({ id }) => id)
    const stored = await entitiesByIds(tx, organisationId, partIds)
    const now = new Map((await withCurrentNames(tx, organisationId, stored.values())).map(item => [item.id, item]))
    if (part.some(({ id, content }) => !stillRefersTo(now.get(id)?.content, content))) throw new SourcesChanged()
  }
}

/** Whether the entity still has all references it had when it was read. */
function stillRefersTo(now: EntityContent | undefined, before: EntityContent): boolean {
  if (!now) return false
  const present = new Set(targetsOf(now))
  return targetsOf(before).every(target => present.has(target))
}

function targetsOf({ extendsEntity, entityAttributes }: EntityContent): string[] {
  return [
    `${extendsEntity?.id ?? 0}`,
    ...entityAttributes.flatMap(({ uid, associatedEntity, associatedEntityTypeAttributeUid, alternativeTargets }) => [
      `${uid} ${associatedEntity.id} ${associatedEntityTypeAttributeUid ?? ''}`,
      ...alternativeTargets.map(({ entity, attributeUid }) => `${uid} ${entity.id} ${attributeUid ?? ''}`),
    ]),
  ]
}

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
    parts: searchParts(entityTexts(content)),
    open: openReferencesOf(content),
  }
}
