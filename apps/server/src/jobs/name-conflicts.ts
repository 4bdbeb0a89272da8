import { resolveModel, type ResolvedModel } from '@cadmus/model/resolved-model'
import { mayEditEntity } from '@cadmus/model/locks'
import type { EntityNode } from '@cadmus/model/entity'
import { nameConflictTexts } from '@cadmus/model/messages/validation'
import {
  entitiesWithNameConflicts,
  nameConflictPlan,
  type NameConflictFacts,
  type NameConflictStep,
  type NameConflictStrategy,
} from '@cadmus/model/name-conflicts'
import { isDefaultPath, renamedPath } from '@cadmus/model/paths'
import type { NameConflictStepAnswer } from '@cadmus/model/contract/manifest'
import { hashOf } from '../store/content.ts'
import type { Db } from '../store/database.ts'
import type { Store } from '../store/store.ts'
import { membershipsOf } from '../store/entity-delete.ts'
import { entityRowsByIds, type EntityRow } from '../store/entity.ts'
import { namesInManifests } from '../store/manifest.ts'
import { modelAt } from './model-at.ts'
import type { ModelPlace } from './tasks.ts'

/** Plans how a strategy resolves the name conflicts of a manifest, with a tag for exactly this plan. */
export async function nameConflictSteps(
  store: Store,
  place: ModelPlace & { strategy: NameConflictStrategy },
): Promise<{ steps: NameConflictStepAnswer[]; etag: string }> {
  const { root, source } = await modelAt(store, place)
  const resolvedModel = resolveModel(root, source)
  const facts = await factsOf(store.of(place.organisationId), place.organisationId, resolvedModel)
  const steps = nameConflictPlan(resolvedModel, place.strategy, facts).map(answerOf)
  return { steps, etag: hashOf(JSON.stringify([place.strategy, steps])) }
}

async function factsOf(
  db: Db,
  organisationId: number,
  resolvedModel: ResolvedModel,
): Promise<Map<number, NameConflictFacts>> {
  const entities = entitiesWithNameConflicts(resolvedModel)
  const ids = entities.map(({ id }) => id)
  const rows = await entityRowsByIds(db, organisationId, ids)
  const memberships = await membershipsOf(db, organisationId, ids)
  const places = new Map(
    Array.from(rows.values(), row => {
      const listed = (memberships.get(row.id) ?? []).map(member => member.manifest_id)
      const owner = row.organisation_id === organisationId ? [Math.max(0, row.manifest_id)] : []
      return [row.id, new Set([...owner, ...listed])]
    }),
  )
  const all = [...places.values()].flatMap(places => [...places])
  const names = await namesInManifests(db, organisationId, new Set(all))
  const inside = new Set(resolvedModel.manifests.map(({ id }) => id))
  return new Map(
    entities.flatMap(entity => {
      const row = rows.get(entity.id)
      const manifestIds = places.get(entity.id)
      if (!row || !manifestIds) return []
      const usedNames = new Set([...manifestIds].flatMap(place => [...(names.get(place) ?? [])]))
      const isOwn = row.organisation_id === organisationId
      const lockReason = lockOf(entity, isOwn && (row.manifest_id <= 0 || inside.has(row.manifest_id)))
      return [
        [
          entity.id,
          { locked: lockReason, listedIn: listersOf(row, resolvedModel), places: manifestIds, taken: usedNames },
        ] as const,
      ]
    }),
  )
}

/** An entity owned by a manifest outside this one can only be renamed there. */
function lockOf({ type, path }: EntityNode, isInside: boolean): string | undefined {
  const version = { currentVersion: '', latestVersion: '' }
  const verdict = mayEditEntity({ isDefault: isDefaultPath(path), type, ...version })
  if (!verdict.allowed) return verdict.reason
  return isInside ? undefined : nameConflictTexts.elsewhere
}

function listersOf(row: EntityRow, { manifests }: ResolvedModel): NameConflictFacts['listedIn'] {
  return manifests
    .filter(({ entities }) => entities.some(({ id }) => id === row.id))
    .map(({ id, name, path }) => ({ id, name, locked: isDefaultPath(path), owns: row.manifest_id === id }))
}

function answerOf(step: NameConflictStep): NameConflictStepAnswer {
  const about = { action: step.action, entity: placed(step.entity), keeper: placed(step.keeper) }
  if (step.action === 'rename') return { ...about, name: step.name, path: renamedPath(step.entity.path, step.name) }
  if (step.action === 'none') return { ...about, reason: step.reason }
  const { from, deletes, reason } = step
  return { ...about, from: [...from], deletes, ...(reason === undefined ? {} : { reason }) }
}

function placed({ id, uid, name, path }: EntityNode) {
  return { id, uid, name, path }
}
