import type { EntityContent, EntityNode } from '@cadmus/model/entity'
import type { EntityLookup } from '@cadmus/model/inherit'
import { auditTexts } from '@cadmus/model/messages/audit'
import {
  keysAbove,
  settleColumns,
  touchesKeys,
  twoKeysOf,
  twoKeysProblem,
  withInheritedKey,
} from '@cadmus/model/one-key'
import { foldName } from '@cadmus/model/paths'
import type { Problem } from '@cadmus/model/problem'
import { mapReferences, type TargetColumn } from '@cadmus/model/references'
import type { Db } from '../../store/database.ts'
import { referrersOf } from '../../store/entity-reference.ts'
import { withCurrentNames } from '../../store/entity-refresh.ts'
import { entitiesByIds, entityNode, type StoredEntity, withAncestors } from '../../store/entity.ts'
import { subtypesOf } from './column-loss.ts'

type Placed = Pick<StoredEntity, 'id' | 'path'> & { content: EntityContent }

/** The content with the key that follows from its parent: removes or restores the automatic one. */
export async function withSettledKey(
  db: Db,
  organisationId: number,
  current: Placed,
  next: EntityContent,
  columnsOf = settleColumns,
): Promise<EntityContent> {
  if (!touchesKeys(current.content, next)) return next
  const { before, after } = await statesOf(db, organisationId, current, next)
  const columns = columnsOf(before, after)
  return columns ? { ...next, ...columns } : next
}

/** Problems of an entity that would get a second key. */
export async function keyProblems(
  db: Db,
  organisationId: number,
  current: Placed,
  next: EntityContent,
): Promise<Problem[]> {
  if (!touchesKeys(current.content, next)) return []
  const { before, after } = await statesOf(db, organisationId, current, next)
  return [twoKeysProblem(before, after) ?? []].flat()
}

/** Problems of a new entity that would get a second key. */
export async function newKeyProblems(db: Db, organisationId: number, entity: EntityNode): Promise<Problem[]> {
  const lookup = await familyOf(db, organisationId, [entity])
  return [twoKeysProblem(undefined, { entity, lookup }) ?? []].flat()
}

/** The content of an import or a resolved reference that inherits a key: its own key is removed or becomes an ordinary column. */
export async function withImportedKey(
  db: Db,
  organisationId: number,
  entity: Pick<StoredEntity, 'id' | 'organisation_id'> & { content: EntityContent },
): Promise<{ content: EntityContent; message: string | undefined }> {
  const { content } = entity
  const keys = keysAbove(content, await familyOf(db, organisationId, [content]))
  if (!twoKeysOf(content, keys)) return { content, message: undefined }
  const ids = new Set([entity.id, ...(await subtypesOf(db, organisationId, entity)).map(({ id }) => id)])
  const links = await referrersOf(db, organisationId, [...ids])
  const others = await entitiesByIds(db, organisationId, new Set(links.map(({ fromId }) => fromId)))
  const referring = [content, ...Array.from(others.values(), other => other.content)]
  const targets = referring.flatMap(targetsOf).filter(({ id }) => ids.has(id))
  const names = new Map(content.typeAttributes.map(item => [item.uid, foldName(item.name)]))
  const isReferredTo = (uid: string) =>
    targets.some(target => (target.uid === undefined ? foldName(target.name) === names.get(uid) : target.uid === uid))
  const { subtype: adapted, message } = withInheritedKey(content, { name: content.name, keys, isReferredTo })
  return { content: adapted, message }
}

/** Returns the columns to which the entity's relationships refer. */
function targetsOf(content: EntityContent): (TargetColumn & { id: number })[] {
  const targets: (TargetColumn & { id: number })[] = []
  mapReferences(content, {
    entity: reference => reference,
    column(column, { id }) {
      targets.push({ ...column, id })
      return column
    },
  })
  return targets
}

/** State of a subtype after a change of its ancestor's keys; nearest subtypes first. */
export type SubtypeStep = { current: StoredEntity; next: EntityContent; changed: EntityLookup; description: string }

/** `problems`: subtypes with own keys chosen by users, which block the change. */
export async function subtypeSteps(
  db: Db,
  organisationId: number,
  current: StoredEntity,
  next: EntityContent,
): Promise<{ steps: SubtypeStep[]; problems: Problem[] }> {
  const steps: SubtypeStep[] = []
  const problems: Problem[] = []
  if (!touchesKeys(current.content, next)) return { steps, problems }
  const subtypes = await withCurrentNames(db, organisationId, await subtypesOf(db, organisationId, current))
  if (subtypes.length === 0) return { steps, problems }
  const family = await familyOf(db, organisationId, [next])
  const nodes = await withAncestors(db, organisationId, [current, ...subtypes])
  const before = (id: number) => nodes.get(id) ?? family(id)
  const changed = new Map([[current.id, entityNode({ ...current, content: next })]])
  const after = (id: number) => changed.get(id) ?? before(id)
  for (const subtype of subtypes) {
    const states = [before, after].map(lookup => ({ entity: entityNode(subtype), lookup }))
    const [was, is] = states
    const columns = was && is && settleColumns(was, is)
    if (was && is && !columns) problems.push(...[twoKeysProblem(was, is) ?? []].flat())
    if (!columns) continue
    const content = { ...subtype.content, ...columns }
    const entity = entityNode({ ...subtype, content })
    changed.set(subtype.id, entity)
    const [key] = keysAbove(entity, after)
    const { keyInherited, keyAgain } = auditTexts
    const description = key ? keyInherited(subtype.name, key.declaredBy.name) : keyAgain(subtype.name)
    steps.push({ current: subtype, next: content, changed: id => changed.get(id), description })
  }
  return { steps, problems: problems.map(problem => ({ ...problem, field: 'typeAttributes' })) }
}

async function statesOf(db: Db, organisationId: number, { id, path, content }: Placed, next: EntityContent) {
  const family = await familyOf(db, organisationId, [content, next])
  const stateOf = (one: EntityContent) => {
    const entity: EntityNode = { ...one, id, path }
    return { entity, lookup: (other: number) => (other === id ? entity : family(other)) }
  }
  return { before: stateOf(content), after: stateOf(next) }
}

/** Finds these entities and all their ancestors. */
export async function familyOf(
  db: Db,
  organisationId: number,
  entities: readonly Pick<EntityContent, 'extendsEntity'>[],
): Promise<EntityLookup> {
  const parents = entities.flatMap(({ extendsEntity }) => extendsEntity?.id ?? [])
  const nodes = await withAncestors(db, organisationId, (await entitiesByIds(db, organisationId, parents)).values())
  return id => nodes.get(id)
}
