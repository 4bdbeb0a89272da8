import { upgradeEntityContent, upgradeManifestContent } from '@cadmus/model/content'
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
import { tallyEntities } from '../store/tally.ts'
import { listOrganisations } from '../store/organisation.ts'
import { dropVanished } from './drop-vanished.ts'
import { withReferredColumns } from './keep-referred.ts'
import { type Change, transact } from '../commands/change.ts'
import { healReferences } from '../commands/entity/heal-references.ts'
import { waitingFor } from '../store/open-reference.ts'
import { buildVersionOf } from './navigator.ts'
import { hashOfFolder } from './read-folder.ts'
import { planLibrary, type Known, type PlannedEntity, type PlannedManifest } from './plan-library.ts'

const library = 0
// Raised when the reader understands more than before: then an unchanged folder is read again. 2: targets by uid.
const reader = 2
const actor = { userName: 'library' }

/**
 * Brings the predefined content in step with the library's folder. Does nothing where the folder is the one that was read last.
 * One server at a time; what cannot be read leaves everything as it is, and is logged.
 */
export async function loadLibrary(context: Context): Promise<void> {
  const { store, workers, config, log, jobs } = context
  const place = {
    organisationId: library,
    kind: 'library' as const,
    key: 'library',
    userId: '',
    failed: 'The library was not read.',
  }
  await jobs.alone(place, async () => {
    const hash = `${reader}-${await hashOfFolder(config.libraryDir)}`
    if (hash === (await libraryState(store.shared, 'folder'))) return
    const { model, refused } = await workers.readLibrary(config.libraryDir)
    if (model === null) {
      log.error({ folder: config.libraryDir, reason: refused }, 'library not read')
      return
    }
    for (const line of model.report) log.warn({ path: line.path }, `library: ${line.message}`)
    const before = await readKnown(store.of(library))
    const ids = await store.ids.take(model.entities.length + model.manifests.length + 2)
    const found = planLibrary(model, before.entities, before.manifests, () => ids.pop() ?? -1)
    const plan = { ...found, entities: await withReferredColumns(context, found.entities) }
    await store
      .of(library)
      .transaction()
      .execute(async tx => {
        await writeEntities(tx, plan.entities, before.entityParts)
        await writeManifests(tx, plan.manifests, before.manifestParts)
        await dropVanished(tx, plan, before)
        await setLibraryState(tx, 'buildVersion', buildVersionOf(plan))
        await setLibraryState(tx, 'folder', hash)
      })
    await healEverywhere(context, plan.entities, before.entityParts)
    log.info({ entities: plan.entities.length, manifests: plan.manifests.length }, 'library loaded')
  })
}

async function readKnown(db: Db) {
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
    entities: byCorpusPath(entityParts, part => upgradeEntityContent(parsed(part))),
    manifests: byCorpusPath(manifestParts, part => upgradeManifestContent(parsed(part))),
  }
}

function byCorpusPath<T>(parts: readonly LibraryPart[], contentOf: (part: LibraryPart) => T): Known<T> {
  return new Map(parts.map(part => [part.corpus_path ?? part.path, { id: part.id, content: contentOf(part) }]))
}

/** What an organisation's entities refer to may have come with the folder. */
async function healEverywhere(
  { store }: Context,
  entities: readonly PlannedEntity[],
  before: readonly LibraryPart[],
): Promise<void> {
  const known = new Set(before.map(part => part.id))
  const created = entities.filter(({ id }) => !known.has(id))
  const arrived = created.map(({ id, path, content: { uid } }) => ({ id, uid, path }))
  for (const { id: organisationId } of arrived.length === 0 ? [] : await listOrganisations(store.shared)) {
    if ((await waitingFor(store.of(organisationId), organisationId, arrived)).length === 0) continue
    const change: Change = {
      store,
      organisationId,
      actor: { ...actor, userId: '', userEmail: '' },
      isAdmin: false,
    }
    await transact(change, 1, (tx, work) => healReferences(tx, change, work, arrived))
  }
}

async function writeEntities(
  tx: Tx,
  entities: readonly PlannedEntity[],
  before: readonly LibraryPart[],
): Promise<void> {
  const known = new Map(before.map(part => [part.id, part]))
  const created = entities.filter(({ id }) => !known.has(id))
  await insertEntities(tx, library, created, actor)
  for (const { id, path, content, hash } of entities) {
    const part = known.get(id)
    if (part === undefined || (part.content_hash === hash && part.path === path)) continue
    const change = { id, from: part, content, path }
    await setEntityContent(tx, library, change, actor)
    const [from, to] = [folderOf(part.path), folderOf(path)]
    if (part.hidden === 1 || from === to) continue
    await tallyEntities(tx, library, [from], -1)
    await tallyEntities(tx, library, [to], 1)
  }
  const shown = entities.map(({ id }) => id).filter(id => known.get(id)?.hidden === 1)
  await setHidden(tx, 'entity', shown, 0)
  await updateResolved(
    tx,
    library,
    entities.map(({ id }) => id),
  )
}

async function writeManifests(
  tx: Tx,
  manifests: readonly PlannedManifest[],
  before: readonly LibraryPart[],
): Promise<void> {
  const known = new Map(before.map(part => [part.id, part]))
  for (const manifest of manifests) {
    const part = known.get(manifest.id)
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
