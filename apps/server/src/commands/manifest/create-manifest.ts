import { insertMany } from '../entity/create-entity.ts'
import { adjustApiTypes, newConfiguration } from '@cadmus/model/configuration'
import { defaults } from '@cadmus/model/limits'
import { newManifestContent } from '@cadmus/model/manifest'
import { messages } from '@cadmus/model/messages'
import { auditTexts } from '@cadmus/model/messages/audit'
import { customManifestPath } from '@cadmus/model/paths'
import { entityName, manifestName } from '@cadmus/model/rules/names'
import { parseVersion } from '@cadmus/model/version'
import { invalid } from '../../errors/api-error.ts'
import type { AuditChange } from '../../store/audit.ts'
import { resolvedNames } from '../../store/resolved-rows.ts'
import { resolveNames, type NameScope } from '../../store/configuration-names.ts'
import type { Db, Tx } from '../../store/database.ts'
import type { NewEntity, StoredEntity } from '../../store/entity.ts'
import { copySharedViews } from '../../store/frozen-views.ts'
import {
  insertManifests,
  isManifestNameTaken,
  lockManifestNames,
  type ManifestRow,
  type NewManifest,
} from '../../store/manifest.ts'
import { configurationOf, putConfiguration } from '../../store/manifest-configuration.ts'
import { manifestCreated } from '../audit.ts'
import { idsOf, transact, type Change, type Ids, type Work } from '../change.ts'
import { createdBefore } from '../named-save.ts'
import { requireManifests } from './members.ts'
import { checkConfiguration } from './save-configuration.ts'
import { checkNames, checkUnchanged, currentNames, insertInSlices, retryIfSourcesChanged } from './copies.ts'
import { checkManifestLimit } from './manifest-permission.ts'
import { planMembers, readOriginal, type ManifestPlan, type Original } from './manifest-plan.ts'

/** Limit of copies in one transaction. */
const fewMembers = 40

/** Creates a manifest with everything in the plan, or nothing. Returns its id. */
export async function createManifest(change: Change, plan: ManifestPlan): Promise<number> {
  const name = plan.name.trim()
  checkPlan(name, plan)
  return retryIfSourcesChanged(() => create(change, plan, name))
}

async function create(change: Change, plan: ManifestPlan, name: string): Promise<number> {
  const { store, organisationId } = change
  const before = await createdBefore(store.of(organisationId), change, 'MANIFEST')
  if (before !== undefined) return before
  const original = await readOriginal(change, plan)
  const insertion = { plan, name, original }
  if (original.members.length > fewMembers) return createInSlices(change, insertion)
  return transact(change, idsFor(insertion), async (tx, work) => {
    await lockManifestNames(tx, organisationId)
    const sent = await createdBefore(tx, change, 'MANIFEST')
    if (sent !== undefined) return sent
    await checkManifest(tx, organisationId, name, plan.licence)
    await checkUnchanged(tx, organisationId, copiedIn(original))
    const { created, manifest } = await planned(tx, change, work, insertion)
    await insertMany(tx, change, work, created, describeCreated)
    await insertPlanned(tx, change, work, { manifest, created, original: original.manifest })
    return manifest.id
  })
}

/** Creates a manifest with many entities in slices, yielding between them. */
async function createInSlices(change: Change, insertion: Insertion): Promise<number> {
  const { store, organisationId } = change
  const { plan, name, original } = insertion
  const db = store.of(organisationId)
  // An early check to avoid useless work; repeated under the lock at the end.
  await checkManifest(db, organisationId, name, plan.licence)
  const taken = await store.ids.take(idsFor(insertion))
  const { created, manifest } = await planned(db, change, idsOf(taken), insertion)
  await insertInSlices(change, created, describeCreated, async (tx, work) => {
    await lockManifestNames(tx, organisationId)
    await checkManifest(tx, organisationId, name, plan.licence)
    await checkUnchanged(tx, organisationId, copiedIn(original))
    await insertPlanned(tx, change, work, { manifest, created, original: original.manifest })
  })
  return manifest.id
}

function idsFor({ plan, original }: Insertion): number {
  return 3 + 2 * (original.members.length + plan.entityNames.length)
}

function describeCreated({ content }: NewEntity): string {
  return auditTexts.created(content.name)
}

function checkPlan(name: string, plan: ManifestPlan): void {
  const problem = manifestName(name)
  if (problem !== undefined) throw invalid(problem, [{ path: 'manifestName', message: problem }])
  if (parseVersion(plan.version) === undefined) {
    throw invalid(messages.invalidVersion, [{ path: 'version', message: messages.invalidVersion }])
  }
  checkConfiguration(adjustApiTypes(plan.configuration ?? newConfiguration(name), plan.generateType), plan.licence)
  for (const [index, newName] of plan.entityNames.entries()) {
    const wrong = entityName(newName.trim())
    if (wrong !== undefined) throw invalid(wrong, [{ path: `exclusiveEntities.${index}`, message: wrong }])
  }
}

/** Checks the unique name and the licence's limit of manifests. */
async function checkManifest(db: Db, organisationId: number, name: string, licence: string): Promise<void> {
  if (await isManifestNameTaken(db, organisationId, name)) {
    const message = messages.manifestExists(name)
    throw invalid(message, [{ path: 'manifestName', message }])
  }
  await checkManifestLimit(db, organisationId, { licence, requested: 1 })
}

type Insertion = { plan: ManifestPlan; name: string; original: Original }

/** The manifest and its new entities with ids, not stored yet. */
async function planned(
  db: Db,
  { organisationId }: Change,
  ids: Ids,
  insertion: Insertion,
): Promise<{ created: NewEntity[]; manifest: NewManifest }> {
  const { plan, name, original } = insertion
  const subManifests = await requireManifests(db, organisationId, original.subManifestIds)
  const id = ids.next()
  const resolvedModel = await resolvedNames(db, organisationId, subManifests)
  const destination = { organisationId, manifest: { id, name }, resolvedModel }
  const { created, members } = await planMembers(plan, original, destination, ids)
  const manifest = {
    id,
    path: customManifestPath(name),
    content: newManifestContent({ name, description: plan.description, importsPath: [...plan.importsPath] }),
    members,
    subManifests: subManifests.map(sub => ({ id: sub.id, organisationId: sub.organisation_id })),
    configurationHash: await configurationHash(db, organisationId, insertion, {
      // The names in the duplicated configuration now refer to the copies.
      entities: [
        ...resolvedModel,
        ...inPlaceNames(original),
        ...created.map(({ id, content }) => ({ id, name: content.name })),
      ],
      made: new Map(created.map(({ id, content }) => [id, content])),
    }),
    version: plan.version,
  }
  return { created, manifest }
}

async function insertPlanned(
  tx: Tx,
  { organisationId, actor }: Change,
  work: Work,
  {
    manifest,
    created,
    original,
  }: { manifest: NewManifest; created: readonly NewEntity[]; original: ManifestRow | null },
): Promise<void> {
  // Members were read before the lock was taken: they may have been deleted or renamed.
  const listed = await currentNames(tx, organisationId, inPlace(manifest))
  checkNames(
    listed,
    created.map(({ content }) => content.name),
    'entities',
  )
  await requireManifests(
    tx,
    organisationId,
    manifest.subManifests.map(sub => sub.id),
  )
  const [hash = ''] = await insertManifests(tx, organisationId, [manifest], actor)
  if (original)
    await copySharedViews(tx, original.id, { organisationId, manifestId: manifest.id, actor }, copiedUids(created))
  work.audit(creation(manifest, hash, original))
}

function copiedIn({ members }: Original): StoredEntity[] {
  return members.flatMap(({ entity, type }) => (type === 'EXCLUSIVE' ? [entity] : []))
}

/** Uids of copies by those of their originals. */
function copiedUids(created: readonly NewEntity[]): Map<string, string> {
  return new Map(
    created.flatMap(({ content: { copiedFrom, uid } }) => (copiedFrom ? [[copiedFrom, uid] as const] : [])),
  )
}

function inPlace({ members }: NewManifest): number[] {
  return members.filter(({ type }) => type === 'TEMPLATE').map(({ entityId }) => entityId)
}

function inPlaceNames({ members }: Original): { id: number; name: string }[] {
  return members.flatMap(({ entity, type }) => (type === 'TEMPLATE' ? [{ id: entity.id, name: entity.name }] : []))
}

/**
 * The configuration of the plan, otherwise the configuration of the duplicated manifest under the new name, otherwise
 * none.
 */
async function configurationHash(
  db: Db,
  organisationId: number,
  { plan, name, original: { manifest } }: Insertion,
  reach: Omit<NameScope, 'earlier'>,
): Promise<string | null> {
  const original = manifest?.configuration_hash == null ? undefined : await configurationOf(db, manifest)
  const generated = plan.generateType === 'Manifest' ? undefined : newConfiguration(name)
  const configuration = plan.configuration ?? original?.configuration ?? generated
  if (!configuration) return null
  const earlier = original?.named ?? []
  const adjusted = adjustApiTypes({ ...configuration, manifestName: name }, plan.generateType)
  const named = await resolveNames(db, organisationId, adjusted, { ...reach, earlier })
  return putConfiguration(db, organisationId, named)
}

function creation(manifest: NewManifest, hash: string, original: ManifestRow | null): AuditChange {
  const { id, path, content, version = defaults.version } = manifest
  const description = original
    ? auditTexts.manifestDuplicated(content.name, original.name)
    : auditTexts.manifestCreated(content.name)
  return manifestCreated({ id, path, name: content.name, latest_version: version }, hash, description)
}
