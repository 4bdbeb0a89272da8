import * as z from 'zod'
import { entityForm, manifestForm } from '@cadmus/model/content'
import { embedded } from '@cadmus/model/stored/nested-forms'
import { numbered, readStored, type StoredForm } from '@cadmus/model/stored/stored-form'
import type { EntityContent } from '@cadmus/model/entity'
import { messages } from '@cadmus/model/messages'
import { touchesKeys } from '@cadmus/model/one-key'
import { folderOf } from '@cadmus/model/paths'
import type { Context } from '../context.ts'
import type { Db, Tx } from '../store/database.ts'
import { insertEntities, setEntityContent } from '../store/entity.ts'
import { updateResolved } from '../store/entity-reference.ts'
import {
  libraryEntities,
  libraryManifests,
  libraryState,
  setHidden,
  setLibraryState,
  type LibraryPart,
} from '../store/library-state.ts'
import { insertManifests } from '../store/manifest.ts'
import { replaceManifest } from '../store/library-manifest.ts'
import { bodiesOf } from '../store/bodies.ts'
import { adjustEntityCounters } from '../store/counters.ts'
import { listOrganisations } from '../store/organisation.ts'
import { deleteRemoved } from './delete-removed.ts'
import { keepReferencedColumns } from './keep-referenced.ts'
import { type Change, transact } from '../commands/change.ts'
import { resolveReferences, settleBelow } from '../commands/entity/resolve-references.ts'
import { subtypesOf } from '../commands/entity/column-loss.ts'
import { ApiError } from '../errors/api-error.ts'
import { inBatches } from '../store/batches.ts'
import { referrersWaitingFor } from '../store/open-reference.ts'
import { buildVersionOf } from './navigator.ts'
import { hashOfFolder } from './read-folder.ts'
import { planLibrary, type Existing, type PlannedEntity, type PlannedManifest } from './plan-library.ts'

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
        await setLibraryState(tx, 'unsettled', unsettledBy(plan.entities, before.entities))
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
  const entityParts = await libraryEntities(db)
  const manifestParts = await libraryManifests(db)
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

/** New library entities, and former contents of those whose key has changed. */
const unsettledSchema = z.object({
  arrived: z.array(z.object({ id: z.number(), uid: z.string(), path: z.string() })),
  rekeyed: z.array(z.object({ id: z.number(), path: z.string(), content: embedded(entityForm) })),
})

export const libraryUpdateForm: StoredForm<z.output<typeof unsettledSchema>> = {
  name: 'library update',
  format: 1,
  schema: unsettledSchema,
  unnumbered: 1,
  upgrades: {},
}

function unsettledBy(entities: readonly PlannedEntity[], before: Existing<EntityContent>): string {
  const states = entities.map(({ corpusPath, ...entity }) => ({ ...entity, previous: before.get(corpusPath)?.content }))
  const update = {
    arrived: states.filter(({ previous }) => !previous).map(({ id, path, content: { uid } }) => ({ id, uid, path })),
    rekeyed: states.flatMap(({ id, path, content, previous }) =>
      previous && touchesKeys(previous, content) ? [{ id, path, content: previous }] : [],
    ),
  }
  return JSON.stringify(numbered(libraryUpdateForm, update))
}

/**
 * Resolves references of organisations to new library entities, and updates the keys of own subtypes of library entities
 * whose key has changed. Repeated from the start if interrupted.
 */
async function updateOrganisations({ store }: Context): Promise<void> {
  const state = (await libraryState(store.shared, 'unsettled')) ?? ''
  if (state === '') return
  const unsettled = readStored(libraryUpdateForm, JSON.parse(state))
  const { arrived } = unsettled
  const rekeyed = unsettled.rekeyed.map(entity => ({
    ...entity,
    organisation_id: library,
  }))
  const isSame = arrived.length === 0 && rekeyed.length === 0
  for (const { id: organisationId } of isSame ? [] : await listOrganisations(store.shared)) {
    const db = store.of(organisationId)
    const waiting = await referrersWaitingFor(db, organisationId, arrived)
    const subtypes = await Promise.all(rekeyed.map(entity => subtypesOf(db, organisationId, entity)))
    const isExtended = subtypes.flat().some(entity => entity.organisation_id === organisationId)
    if (waiting.length === 0 && !isExtended) continue
    const change: Change = {
      store,
      organisationId,
      actor: { ...actor, userId: '', userEmail: '' },
      isAdmin: false,
    }
    await transact(change, 1, async (tx, work) => {
      await resolveReferences(tx, change, work, arrived)
      await settleBelow(tx, change, work, rekeyed)
    })
  }
  await setLibraryState(store.shared, 'unsettled', '')
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
