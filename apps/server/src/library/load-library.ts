import * as z from 'zod'
import { entityForm, manifestForm } from '@cadmus/model/content'
import type { EntityContent } from '@cadmus/model/entity'
import type { ManifestContent } from '@cadmus/model/manifest'
import { messages } from '@cadmus/model/messages'
import { touchesKeys } from '@cadmus/model/one-key'
import { folderOf } from '@cadmus/model/paths'
import { embedded } from '@cadmus/model/stored/nested-forms'
import { numbered, ofRecord, readStored, type StoredForm } from '@cadmus/model/stored/stored-form'
import { type Change, transact } from '../commands/change.ts'
import { subtypesOf } from '../commands/entity/column-loss.ts'
import { resolveReferences, settleBelow } from '../commands/entity/resolve-references.ts'
import type { Context } from '../context.ts'
import { ApiError } from '../errors/api-error.ts'
import { bodiesOf } from '../store/content.ts'
import { adjustEntityCounters } from '../store/counters.ts'
import { type Db, type Tx, within } from '../store/database.ts'
import { deleteEntityRows } from '../store/entity-delete.ts'
import { updateResolved } from '../store/entity-reference.ts'
import { insertEntities, setEntityContent } from '../store/entity.ts'
import {
  libraryParts,
  type LibraryPart,
  libraryState,
  listedManifests,
  referredEntities,
  setHidden,
  setLibraryState,
} from '../store/library-state.ts'
import { deleteManifests, replaceManifest } from '../store/manifest-delete.ts'
import { insertManifests, lockManifestNames } from '../store/manifest.ts'
import { referrersWaitingFor } from '../store/open-reference.ts'
import { listOrganisations } from '../store/organisation.ts'
import { inBatches } from '../store/statements.ts'
import { keepReferencedColumns } from './keep-referenced.ts'
import { buildVersionOf } from './navigator.ts'
import { type Existing, planLibrary, type PlannedEntity, type PlannedManifest } from './plan-library.ts'
import { hashOfFolder } from './read-folder.ts'

const library = 0
// Incremented when the reader extracts more, so that an unchanged folder is read again. 2: targets by uid.
const readerVersion = 2
const actor = { userName: 'library' }
/** Number of entities stored between two progress reports. */
const batchSize = 100

/** The job under which every server reports the progress of the library, whichever reads it. */
export const libraryJob = { organisationId: library, kind: 'library' as const, key: 'library' }

/**
 * Updates the predefined content from the library folder; does nothing if the folder is unchanged. One server at a
 * time. An unreadable folder changes nothing, is logged, and is reported to `userId`, who requested it.
 */
export async function loadLibrary(context: Context, userId = ''): Promise<void> {
  const { store, workers, config, log, jobs } = context
  await jobs.runExclusively({ ...libraryJob, userId, failed: messages.administration.libraryNotRead }, async job => {
    const report = (state: 'reading' | 'resolving' | 'storing', done: number, total: number) =>
      job.report({ state, done, total, message: '' })
    report('reading', 0, 0)
    // A server may have stopped before organisations followed the last change.
    await updateOrganisations(context)
    const hash = `${readerVersion}-${await hashOf(context)}`
    if (hash === (await libraryState(store.shared, 'folder'))) return
    const { model, refused } = await workers.readLibrary(config.libraryDir, ({ state, done, total }) =>
      report(state, done, total),
    )
    if (model === null) {
      log.error({ folder: config.libraryDir, reason: refused, user: userId }, 'reading the library failed')
      throw new LibraryRefused(refused)
    }
    for (const line of model.report) log.warn({ path: line.path }, `library: ${line.message}`)
    const before = await readExisting(store.of(library))
    const ids = await store.ids.take(model.entities.length + model.manifests.length + 2)
    const planned = planLibrary(model, before.entities, before.manifests, () => ids.pop() ?? -1)
    const plan = { ...planned, entities: await keepReferencedColumns(context, planned.entities) }
    await store
      .of(library)
      .transaction()
      .execute(async tx => {
        await writeEntities(tx, plan.entities, before.entityParts, done =>
          report('storing', done, plan.entities.length),
        )
        await writeManifests(tx, plan.manifests, before.manifestParts)
        await deleteRemoved(tx, plan, before)
        await setLibraryState(tx, 'buildVersion', buildVersionOf(plan))
        await addUnsettled(tx, changeBetween(before.entities, plan.entities))
        await setLibraryState(tx, 'folder', hash)
      })
    await updateOrganisations(context)
    const counts = { entities: plan.entities.length, manifests: plan.manifests.length }
    report('storing', counts.entities, counts.entities)
    log.info({ ...counts, user: userId }, 'library loaded')
  })
}

/** The folder contains unreadable content; only the operator can fix it. */
export class LibraryRefused extends ApiError {
  constructor(refused: string) {
    super(409, 'library_unreadable', `${messages.administration.libraryNotRead} ${refused}`)
  }
}

export class LibraryMissing extends ApiError {
  constructor(detail: unknown) {
    super(409, 'library_missing', `${messages.administration.libraryNotRead} Its folder cannot be read.`, { detail })
  }
}

async function hashOf({ config, log }: Context): Promise<string> {
  try {
    return await hashOfFolder(config.libraryDir)
  } catch (error) {
    log.error({ folder: config.libraryDir, err: error }, 'reading the library failed')
    throw new LibraryMissing(error)
  }
}

async function readExisting(db: Db) {
  const entityParts = await libraryParts(db, 'entity')
  const manifestParts = await libraryParts(db, 'manifest')
  const bodies = await bodiesOf(
    db,
    library,
    [...entityParts, ...manifestParts].map(part => ({ hash: part.content_hash })),
  )
  const parsed = (part: LibraryPart): unknown => JSON.parse(bodies.get(part.content_hash) ?? 'null')
  return {
    entityParts,
    manifestParts,
    entities: byCorpusPath(entityParts, part => readStored(entityForm, parsed(part))),
    manifests: byCorpusPath(manifestParts, part => readStored(manifestForm, parsed(part))),
  }
}

function byCorpusPath<T>(parts: readonly LibraryPart[], contentOf: (part: LibraryPart) => T): Existing<T> {
  return new Map(parts.map(part => [part.corpus_path ?? part.path, { id: part.id, content: contentOf(part) }]))
}

/** A change of the library that organisations still have to follow; `organisationIds`: null for all. */
const libraryChange = z.object({
  /** New library entities. */
  arrived: z.array(z.object({ id: z.number(), uid: z.string(), path: z.string() })),
  /** Former contents of library entities whose key has changed. */
  rekeyed: z.array(z.object({ id: z.number(), path: z.string(), content: embedded(entityForm) })),
  organisationIds: z.array(z.number()).nullable(),
})
type LibraryChange = z.output<typeof libraryChange>
/** Changes, oldest first. */
const libraryUpdate = z.object({ changes: z.array(libraryChange) })

export const libraryUpdateForm: StoredForm<z.output<typeof libraryUpdate>> = {
  name: 'library update',
  format: 2,
  schema: libraryUpdate,
  unnumbered: 1,
  upgrades: {
    // A single change, for all organisations.
    1: ofRecord(({ arrived, rekeyed }) => ({ changes: [{ arrived, rekeyed, organisationIds: null }] })),
  },
}

async function unsettledChanges(db: Db): Promise<LibraryChange[]> {
  const state = (await libraryState(db, 'unsettled')) ?? ''
  return state === '' ? [] : readStored(libraryUpdateForm, JSON.parse(state)).changes
}

/** Whether a change of the library still has to be applied to the organisation's entities. */
export async function isLibraryPending(db: Db, organisationId: number): Promise<boolean> {
  return (await unsettledChanges(db)).some(change => change.organisationIds?.includes(organisationId) ?? true)
}

async function setUnsettled(db: Db, changes: LibraryChange[]): Promise<void> {
  const state = changes.length === 0 ? '' : JSON.stringify(numbered(libraryUpdateForm, { changes }))
  await setLibraryState(db, 'unsettled', state)
}

/** Adds a change to those that organisations have failed to follow. */
async function addUnsettled(tx: Tx, change: LibraryChange): Promise<void> {
  if (change.arrived.length + change.rekeyed.length > 0)
    await setUnsettled(tx, [...(await unsettledChanges(tx)), change])
}

function changeBetween(before: Existing<EntityContent>, entities: readonly PlannedEntity[]): LibraryChange {
  const states = entities.map(({ corpusPath, ...entity }) => ({ ...entity, previous: before.get(corpusPath)?.content }))
  return {
    arrived: states.filter(({ previous }) => !previous).map(({ id, path, content: { uid } }) => ({ id, uid, path })),
    rekeyed: states.flatMap(({ id, path, content, previous }) =>
      previous && touchesKeys(previous, content) ? [{ id, path, content: previous }] : [],
    ),
    organisationIds: null,
  }
}

/**
 * Lets organisations follow changes of the library. Repeated from the start if interrupted. A failure for one organisation
 * is logged and repeated by the next load; it affects neither other organisations nor later loads.
 */
async function updateOrganisations(context: Context): Promise<void> {
  const { store, log } = context
  const changes = await unsettledChanges(store.shared)
  if (changes.length === 0) return
  const all = (await listOrganisations(store.shared)).map(({ id }) => id)
  const remaining: LibraryChange[] = []
  for (const change of changes) {
    const failed: number[] = []
    for (const organisationId of all.filter(id => change.organisationIds?.includes(id) ?? true)) {
      try {
        await updateOrganisation(context, organisationId, change)
      } catch (error) {
        log.error({ organisationId, err: error }, 'following the library failed; the next load repeats it')
        failed.push(organisationId)
      }
    }
    if (failed.length > 0) remaining.push({ ...change, organisationIds: failed })
  }
  await setUnsettled(store.shared, remaining)
}

/**
 * Resolves references of an organisation to new library entities, and updates the keys of own subtypes of library entities
 * whose key has changed.
 */
async function updateOrganisation(
  { store }: Context,
  organisationId: number,
  { arrived, rekeyed }: LibraryChange,
): Promise<void> {
  const above = rekeyed.map(entity => ({ ...entity, organisation_id: library }))
  const db = store.of(organisationId)
  const waiting = await referrersWaitingFor(db, organisationId, arrived)
  const subtypes = await Promise.all(above.map(entity => subtypesOf(db, organisationId, entity)))
  const isExtended = subtypes.flat().some(entity => entity.organisation_id === organisationId)
  if (waiting.length === 0 && !isExtended) return
  const change: Change = {
    store,
    organisationId,
    actor: { ...actor, userId: '', userEmail: '' },
    isAdmin: false,
  }
  await transact(change, 1, async (tx, work) => {
    await resolveReferences(tx, change, work, arrived)
    await settleBelow(tx, change, work, above)
  })
}

async function writeEntities(
  tx: Tx,
  entities: readonly PlannedEntity[],
  before: readonly LibraryPart[],
  onStored: (done: number) => void,
): Promise<void> {
  const existing = new Map(before.map(part => [part.id, part]))
  let done = 0
  for (const part of inBatches(entities, batchSize)) {
    await writePart(tx, part, existing)
    onStored((done += part.length))
  }
  const shown = entities.map(({ id }) => id).filter(id => existing.get(id)?.hidden === 1)
  await setHidden(tx, 'entity', shown, 0)
  await updateResolved(
    tx,
    library,
    entities.map(({ id }) => id),
  )
}

async function writePart(
  tx: Tx,
  entities: readonly PlannedEntity[],
  existing: ReadonlyMap<number, LibraryPart>,
): Promise<void> {
  const created = entities.filter(({ id }) => !existing.has(id))
  await insertEntities(tx, library, created, actor)
  for (const { id, path, content, hash } of entities) {
    const part = existing.get(id)
    if (part === undefined || (part.content_hash === hash && part.path === path)) continue
    const change = { id, from: part, content, path }
    await setEntityContent(tx, library, change, actor)
    const [from, to] = [folderOf(part.path), folderOf(path)]
    if (part.hidden === 1 || from === to) continue
    await adjustEntityCounters(tx, library, [from], -1)
    await adjustEntityCounters(tx, library, [to], 1)
  }
}

async function writeManifests(
  tx: Tx,
  manifests: readonly PlannedManifest[],
  before: readonly LibraryPart[],
): Promise<void> {
  const existing = new Map(before.map(part => [part.id, part]))
  for (const manifest of manifests) {
    const part = existing.get(manifest.id)
    const members = manifest.entityIds.map(entityId => ({
      entityId,
      organisationId: library,
      type: 'TEMPLATE' as const,
    }))
    const subManifests = manifest.subManifestIds.map(id => ({ id, organisationId: library }))
    const stored = { ...manifest, members, subManifests }
    if (part === undefined) await insertManifests(tx, library, [stored], actor)
    else if (part.content_hash !== manifest.hash || part.path !== manifest.path || part.hidden === 1)
      await replaceManifest(tx, stored, actor)
  }
}

type Part = { id: number }
type Before = {
  entityParts: readonly LibraryPart[]
  manifestParts: readonly LibraryPart[]
  manifests: Existing<ManifestContent>
}

/**
 * Deletes library objects that are missing from the folder; referenced objects are kept hidden. Holds the name locks of
 * all organisations, as every writer of a reference does, so no reference can appear in between.
 */
async function deleteRemoved(
  tx: Tx,
  plan: { entities: readonly Part[]; manifests: readonly Part[] },
  before: Before,
): Promise<void> {
  const entities = missingFrom(before.entityParts, plan.entities)
  const manifests = missingFrom(before.manifestParts, plan.manifests)
  if (entities.length === 0 && manifests.length === 0) return
  const organisations = await listOrganisations(tx)
  for (const { id } of organisations) await lockManifestNames(tx, id)
  const listed = await findListed(tx, organisations, manifests, before.manifests)
  const referenced = (await findReferenced(tx, organisations, entities)).union(listed.entities)
  await setHidden(tx, 'manifest', [...listed.manifests], 1)
  await deleteManifests(tx, partitionIds(manifests, listed.manifests).others)
  const { retained, others } = partitionIds(entities, referenced)
  await setHidden(tx, 'entity', retained, 1)
  await deleteEntityRows(tx, library, others)
}

/** Returns the parts that are missing from the plan. */
function missingFrom(parts: readonly LibraryPart[], plan: readonly Part[]): LibraryPart[] {
  const planned = new Set(plan.map(({ id }) => id))
  return parts.filter(({ id }) => !planned.has(id))
}

async function findReferenced(
  tx: Tx,
  organisations: readonly Part[],
  removed: readonly LibraryPart[],
): Promise<Set<number>> {
  const referenced = new Set<number>()
  const ids = removed.map(part => part.id)
  for (const { id } of ids.length === 0 ? [] : organisations) {
    for (const entityId of await referredEntities(within(tx, id), id, ids)) referenced.add(entityId)
  }
  return referenced
}

function partitionIds(parts: readonly Part[], retained: ReadonlySet<number>): { retained: number[]; others: number[] } {
  const ids = parts.map(({ id }) => id)
  return { retained: ids.filter(id => retained.has(id)), others: ids.filter(id => !retained.has(id)) }
}

/** Predefined manifests that are kept hidden although they were removed from the folder, and the entities they list. */
type Listed = { manifests: ReadonlySet<number>; entities: ReadonlySet<number> }

/**
 * Returns the removed manifests that an organisation lists as sub-manifests, including removed manifests below them.
 */
async function findListed(
  tx: Tx,
  organisations: readonly { id: number }[],
  removed: readonly { id: number }[],
  existing: Existing<ManifestContent>,
): Promise<Listed> {
  const manifests = new Set<number>()
  const entities = new Set<number>()
  const ids = removed.map(({ id }) => id)
  const open: number[] = []
  for (const { id } of ids.length === 0 ? [] : organisations) {
    open.push(...(await listedManifests(within(tx, id), id, ids)))
  }
  const contents = new Map(Array.from(existing.values(), ({ id, content }) => [id, content]))
  const removedIds = new Set(ids)
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (manifests.has(id) || !removedIds.has(id)) continue
    manifests.add(id)
    const content = contents.get(id)
    for (const member of content?.entities ?? []) entities.add(member.id)
    open.push(...(content?.subManifests ?? []))
  }
  return { manifests, entities }
}
