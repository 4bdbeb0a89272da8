import { withoutNames } from '@cadmus/model/configuration-names'
import { detachFrom, type OnReferences } from '@cadmus/model/detach'
import type { EntityContent } from '@cadmus/model/entity'
import { mayDeleteEntity } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { auditTexts } from '@cadmus/model/messages/audit'
import { columnsWithKey } from '@cadmus/model/one-key'
import { ApiError } from '../../errors/api-error.ts'
import type { Tx } from '../../store/database.ts'
import { deleteEntityRows, lockEntities, membershipsOf } from '../../store/entity-delete.ts'
import { referenceLookup, refreshed, withCurrentNames } from '../../store/entity-refresh.ts'
import {
  entitiesByIds,
  entityNode,
  type EntityRow,
  setEntityContents,
  type StoredEntity,
  withAncestors,
} from '../../store/entity.ts'
import { putConfiguration, resolveNamesIn } from '../../store/manifest-configuration.ts'
import { removeMembers } from '../../store/manifest-members.ts'
import { lockManifest, lockManifestNames, setManifestConfiguration } from '../../store/manifest.ts'
import { entityChanged, entityEntry, manifestChanged, named } from '../audit.ts'
import { type Change, following, transact, type Work, WriteConflict } from '../change.ts'
import { auditConfiguration } from '../manifest/save-configuration.ts'
import { columnLoss, type LossStep, withReferencedColumns } from './column-loss.ts'
import { entityState, requireAllowed, requireEntity } from './entity-state.ts'
import { followLoss, settleSubtypes } from './follow-loss.ts'
import { maxReported, type References, referencesTo, type Target } from './references-to.ts'
import { familyOf, type SubtypeStep, subtypeSteps } from './settle-keys.ts'

/**
 * Deletes an entity with its versions and places in manifests. References to it are handled according to
 * `onReferences`.
 */
export async function deleteEntity(change: Change, id: number, onReferences?: OnReferences): Promise<void> {
  const { store, organisationId } = change
  await transact(change, 4, async (tx, work) => {
    await lockManifestNames(tx, organisationId)
    await lockEntities(tx, store, organisationId, [id])
    const entity = await requireEntity(tx, organisationId, id)
    requireAllowed(mayDeleteEntity(entityState(entity)))
    const describe = () => auditTexts.deleted(entity.name)
    await removeEntities(tx, change, work, { entities: [entity], onReferences, describe })
  })
}

type RemovedEntity = Pick<EntityRow, 'id' | 'uid' | 'name' | 'path' | 'content_hash' | 'latest_version' | 'manifest_id'>

type Removal = {
  entities: readonly RemovedEntity[]
  /** A manifest deleted together with the entities; its list of members need not be updated. */
  withManifest?: number
  /** Handling of relationships to the entities; undefined: none may exist. */
  onReferences: OnReferences | undefined
  describe: (entity: RemovedEntity) => string
}

/**
 * Deletes entities: detaches references to them, and removes them from all manifests with their versions and scopes. Requires the
 * organisation's name lock (`lockManifestNames`) against new references, and row locks (`lockEntities`), taken before the rows are read,
 * against saves.
 */
export async function removeEntities(tx: Tx, change: Change, work: Work, removal: Removal): Promise<void> {
  const { entities, describe } = removal
  const { organisationId } = change
  const ids = entities.map(({ id }) => id)
  const memberships = await membershipsOf(tx, organisationId, ids)
  await unlink(tx, change, following(work), removal)
  const removed = await deleteEntityRows(tx, organisationId, ids)
  for (const entity of entities) {
    const members = { put: memberships.get(entity.id) ?? [], drop: [] }
    work.audit(
      entityEntry(entity, {
        action: 'DELETE',
        description: describe(entity),
        before: entity.content_hash,
        after: null,
        restoration: { ...removed.get(entity.id), members },
      }),
    )
  }
}

/** Removes references to the entities and their places in manifests, except in the manifest deleted with them. */
export async function unlink(
  tx: Tx,
  change: Change,
  work: Work,
  { entities, withManifest, onReferences }: Removal,
): Promise<void> {
  const { organisationId } = change
  await detachReferences(tx, change, work, { targets: entities, withManifest, onReferences })
  const ids = entities.map(({ id }) => id)
  const listed = [...(await membershipsOf(tx, organisationId, ids, withManifest)).values()].flat()
  const names = new Map(entities.map(({ id, name }) => [id, name]))
  for (const [manifestId, rows] of Map.groupBy(listed, row => row.manifest_id)) {
    const manifest = await lockManifest(tx, organisationId, manifestId)
    if (!manifest) continue
    const leaving = rows.map(row => row.entity_id)
    const changed = await removeMembers(tx, manifest, leaving, change.actor)
    const removedNames = named(leaving.flatMap(id => names.get(id) ?? []))
    work.audit(manifestChanged(manifest, changed, auditTexts.left(removedNames, manifest.name)))
  }
}

/**
 * Detaches all references to the entities, each with an audit entry; 409 with the list of references without
 * `onReferences`. Frozen versions are unchanged.
 */
async function detachReferences(
  tx: Tx,
  change: Change,
  work: Work,
  removal: { targets: readonly Target[]; withManifest?: number | undefined; onReferences: OnReferences | undefined },
): Promise<void> {
  const references = await referencesTo(tx, change.organisationId, removal.targets, removal.withManifest)
  if (references.items.length === 0) return
  const { onReferences } = removal
  if (onReferences === undefined) {
    const reported = references.items.slice(0, maxReported)
    throw new ApiError(409, 'references', messages.referredTo, { references: reported })
  }
  const { steps, pendingSubtypes } = await detachEntities(tx, change, work, {
    targets: removal.targets,
    references,
    onReferences,
  })
  await detachConfigurations(tx, change, work, references)
  // Formerly inherited columns have changed identity, and columns removed with a relationship no longer exist: both may
  // have references.
  const follow = { onReferences: () => onReferences, except: new Set(removal.targets.map(({ id }) => id)) }
  for (const step of steps) {
    const loss = await columnLoss(tx, change.organisationId, { ...step, ...follow })
    if (loss) await followLoss(tx, change, work, loss, follow)
  }
  await settleSubtypes(tx, change, work, pendingSubtypes, follow)
}

/** Small batches, because each content may be large. */
const batchSize = 25

type Step = Pick<LossStep, 'current' | 'next'>

type DetachInput = { targets: readonly Target[]; references: References; onReferences: OnReferences }

async function detachEntities(
  tx: Tx,
  change: Change,
  work: Work,
  input: DetachInput,
): Promise<{ steps: Step[]; pendingSubtypes: SubtypeStep[] }> {
  const { organisationId } = change
  const { targets, references, onReferences } = input
  const except = new Set(targets.map(({ id }) => id))
  const referring = Map.groupBy(
    references.items.filter(({ document }) => document === 'entity'),
    ({ id }) => id,
  )
  const read = await entitiesByIds(tx, organisationId, referring.keys())
  const entities = [...read.values()].toSorted((a, b) => a.id - b.id)
  const referencedIds = await withReferencedColumns(tx, organisationId, entities)
  const detach = await newDetacher(tx, organisationId, entities, input)
  const steps: Step[] = []
  const pendingSubtypes: SubtypeStep[] = []
  const writer = new Writer(tx, change, work)
  for (const entity of await withCurrentNames(tx, organisationId, entities)) {
    const { next, isKeyReplaced } = detach(entity)
    const isReferenced = referencedIds.has(entity.id)
    // Reads from the store, which must contain the previous batch first.
    if (isReferenced) await writer.write()
    const own = { current: entity, next, onReferences: () => onReferences, except }
    const content = (isReferenced ? await columnLoss(tx, organisationId, own) : undefined)?.content ?? next
    if (isReferenced) {
      const below = await subtypeSteps(tx, organisationId, entity, content)
      pendingSubtypes.push(...below.steps.filter(({ current }) => !except.has(current.id)))
      steps.push({ current: entity, next: content })
    }
    const targetNames = (referring.get(entity.id) ?? []).map(({ target }) => target.name)
    const description = auditTexts.detached(named([...new Set(targetNames)]))
    const key = isKeyReplaced ? ` ${auditTexts.keyReplaced(entity.name)}` : ''
    await writer.add({ entity, content, description: `${description}${key}` })
  }
  await writer.write()
  return { steps, pendingSubtypes }
}

/**
 * Returns a function that removes the targets from an entity. The automatic key replaces an own key that is removed
 * with them.
 */
async function newDetacher(
  tx: Tx,
  organisationId: number,
  entities: readonly StoredEntity[],
  { targets, references, onReferences }: DetachInput,
): Promise<(entity: StoredEntity) => { next: EntityContent; isKeyReplaced: boolean }> {
  const removed = new Set(targets.map(({ id }) => id))
  const targetIds = references.items.flatMap(({ document, target }) => (document === 'entity' ? [target.id] : []))
  const targetsWithAncestors = await withAncestors(
    tx,
    organisationId,
    (await entitiesByIds(tx, organisationId, targetIds)).values(),
  )
  // Columns taken over by subtypes are written with current names.
  const names = await referenceLookup(tx, organisationId, [...targetsWithAncestors.values()])
  const nodes = new Map([...targetsWithAncestors].map(([id, node]) => [id, { ...node, ...refreshed(node, names) }]))
  const lookup = (id: number) => nodes.get(id)
  const contents = entities.map(({ content }) => content)
  const family = await familyOf(tx, organisationId, contents)
  const stateOf = (entity: StoredEntity) => {
    return { entity: entityNode(entity), lookup: (id: number) => lookup(id) ?? family(id) }
  }
  return entity => {
    const left = detachFrom(entity.content, { removed, lookup, onReferences })
    const columns = columnsWithKey(stateOf(entity), stateOf({ ...entity, content: left }))
    return { next: columns ? { ...left, ...columns } : left, isKeyReplaced: columns !== undefined }
  }
}

type Rewritten = { entity: StoredEntity; content: StoredEntity['content']; description: string }

/** Writes changed entities in batches: a dozen statements each took seconds with a hundred references. */
class Writer {
  #waiting: Rewritten[] = []
  readonly #tx: Tx
  readonly #change: Change
  readonly #work: Work

  constructor(tx: Tx, change: Change, work: Work) {
    this.#tx = tx
    this.#change = change
    this.#work = work
  }

  async add(item: Rewritten): Promise<void> {
    this.#waiting.push(item)
    if (this.#waiting.length >= batchSize) await this.write()
  }

  async write(): Promise<void> {
    const items = this.#waiting
    this.#waiting = []
    const { organisationId, actor } = this.#change
    const steps = items.map(({ entity, content }) => ({ id: entity.id, from: entity, content, path: entity.path }))
    const hashes = await setEntityContents(this.#tx, organisationId, steps, actor)
    if (hashes === undefined) throw new WriteConflict()
    for (const [index, { entity, content, description }] of items.entries())
      this.#work.audit(entityChanged(entity, { content, hash: hashes[index] ?? '' }, description))
  }
}

async function detachConfigurations(
  tx: Tx,
  { organisationId, actor }: Change,
  work: Work,
  { configurations }: References,
): Promise<void> {
  for (const { manifest, stored: before, names } of configurations) {
    const locked = await lockManifest(tx, organisationId, manifest.id)
    if (locked?.configuration_hash !== manifest.configuration_hash) throw new WriteConflict()
    const left = withoutNames(before.configuration, new Set(names.keys()))
    const after = await resolveNamesIn(tx, manifest, left, before.named)
    const hash = await putConfiguration(tx, organisationId, after)
    await setManifestConfiguration(tx, organisationId, manifest.id, hash, actor)
    await auditConfiguration(tx, work, manifest, { before, after })
  }
}
