import { parseLicence } from '@cadmus/model/licence'
import { newManifestContent } from '@cadmus/model/manifest'
import { messages } from '@cadmus/model/messages'
import { customManifestPath } from '@cadmus/model/paths'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { entityName } from '@cadmus/model/rules/entity-name'
import { manifestName } from '@cadmus/model/rules/manifest-name'
import { parseVersion } from '@cadmus/model/version'
import { ApiError, invalid } from '../../http/errors.ts'
import { appendAudit, type AuditEntry } from '../../store/audit.ts'
import { namesInClosure } from '../../store/closure-rows.ts'
import type { Tx } from '../../store/database.ts'
import { insertEntities, type NewEntity } from '../../store/entity.ts'
import { updateResolved } from '../../store/entity-reference.ts'
import {
  countManifests,
  insertManifests,
  isManifestNameTaken,
  lockManifestNames,
  type ManifestRow,
  type NewManifest,
} from '../../store/manifest.ts'
import { configurationOf, putConfiguration } from '../../store/manifest-configuration.ts'
import { transact, type Change, type Ids } from '../change.ts'
import { foundManifests } from './add-sub-manifests.ts'
import { creations } from './copies.ts'
import { planMembers, readOriginal, type ManifestPlan, type Original } from './manifest-plan.ts'

/** Creates a manifest with all that the plan names, or nothing. Answers its id. */
export async function createManifest(change: Change, plan: ManifestPlan): Promise<number> {
  const name = plan.name.trim()
  checkPlan(name, plan)
  const original = await readOriginal(change, plan)
  const ids = 3 + 2 * (original.members.length + plan.entityNames.length)
  return transact(change, ids, async (tx, taken) => {
    await lockManifestNames(tx, change.organisationId)
    await checkManifest(tx, change.organisationId, name, plan.licence)
    return insert(tx, change, taken, { plan, name, original })
  })
}

function checkPlan(name: string, plan: ManifestPlan): void {
  const problem = manifestName(name)
  if (problem !== undefined) throw invalid(problem, [{ path: 'manifestName', message: problem }])
  if (parseVersion(plan.version) === undefined) {
    throw invalid(messages.invalidVersion, [{ path: 'version', message: messages.invalidVersion }])
  }
  for (const [index, given] of plan.entityNames.entries()) {
    const wrong = entityName(given.trim())
    if (wrong !== undefined) throw invalid(wrong, [{ path: `exclusiveEntities.${index}`, message: wrong }])
  }
}

/** Names are unique in an organisation, and its licence says how many manifests it may have. */
export async function checkManifest(tx: Tx, organisationId: number, name: string, licence: string): Promise<void> {
  if (await isManifestNameTaken(tx, organisationId, name)) {
    const message = messages.manifestExists(name)
    throw invalid(message, [{ path: 'manifestName', message }])
  }
  const { manifestLimit } = parseLicence(licence)
  if ((await countManifests(tx, organisationId)) >= manifestLimit) {
    throw new ApiError(403, 'manifest_limit', messages.manifestLimit(manifestLimit))
  }
}

type Insertion = { plan: ManifestPlan; name: string; original: Original }

async function insert(tx: Tx, change: Change, ids: Ids, { plan, name, original }: Insertion): Promise<number> {
  const { organisationId, actor } = change
  const subManifests = await foundManifests(tx, organisationId, original.subManifestIds)
  const manifest = { id: ids.next(), name }
  const closure = await namesBelow(tx, organisationId, subManifests)
  const { created, members } = planMembers(plan, original, { organisationId, manifest, closure }, ids)
  const hashes = await insertCreated(tx, change, created)
  const stored: NewManifest = {
    id: manifest.id,
    path: customManifestPath(name),
    content: newManifestContent({ name, description: plan.description, importsPath: [...plan.importsPath] }),
    members,
    subManifests: subManifests.map(sub => ({ id: sub.id, organisationId: sub.organisation_id })),
    configurationHash: await configurationHash(tx, organisationId, { plan, name, original }),
    version: plan.version,
  }
  const [hash = null] = await insertManifests(tx, organisationId, [stored], actor)
  await appendAudit(tx, organisationId, actor, [
    creation(stored, hash, ids, original.manifest),
    ...creations(created, hashes, ids, entity => `Created "${entity.content.name}" with the manifest "${name}".`),
  ])
  return manifest.id
}

async function namesBelow(
  tx: Tx,
  organisationId: number,
  manifests: readonly ManifestRow[],
): Promise<EntityReference[]> {
  const names: EntityReference[] = []
  for (const manifest of manifests) names.push(...(await namesInClosure(tx, organisationId, manifest)))
  return names
}

async function insertCreated(
  tx: Tx,
  { organisationId, actor }: Change,
  created: readonly NewEntity[],
): Promise<string[]> {
  const hashes = await insertEntities(tx, organisationId, created, actor)
  await updateResolved(
    tx,
    organisationId,
    created.map(({ id }) => id),
  )
  return hashes
}

/** The configuration that the plan brings, else that of the duplicated manifest under the new name, else none. */
async function configurationHash(
  tx: Tx,
  organisationId: number,
  { plan, name, original: { manifest } }: Insertion,
): Promise<string | null> {
  if (plan.configuration) return putConfiguration(tx, organisationId, { ...plan.configuration, manifestName: name })
  if (manifest?.configuration_hash == null) return null
  const { configuration } = await configurationOf(tx, manifest)
  return putConfiguration(tx, organisationId, { ...configuration, manifestName: name })
}

function creation(manifest: NewManifest, hash: string | null, ids: Ids, original: ManifestRow | null): AuditEntry {
  const { name } = manifest.content
  return {
    id: ids.next(),
    kind: 'MANIFEST',
    targetId: manifest.id,
    action: 'CREATE',
    name,
    path: manifest.path,
    description: original
      ? `Created the manifest "${name}" as a duplicate of "${original.name}".`
      : `Created the manifest "${name}".`,
    originalHash: null,
    updatedHash: hash,
  }
}
