import type { EntityAttribute } from '@cadmus/model/entity-attribute'
import type { EntityContent, EntityNode } from '@cadmus/model/entity'
import { type ResolvedAttribute, resolvedAttributes } from '@cadmus/model/inherit'
import { mayLoseColumns } from '@cadmus/model/lost-columns'
import { messages } from '@cadmus/model/messages'
import { isEqual } from '@cadmus/model/equal'
import { foldName } from '@cadmus/model/paths'
import type { Problem, ProblemStep } from '@cadmus/model/problem'
import { pairTarget, targetColumn } from '@cadmus/model/references'
import { extendsEntity } from '@cadmus/model/rules/entity'
import type { Db } from '../../store/database.ts'
import { entitiesByIds, withAncestors } from '../../store/entity.ts'

/**
 * Problems that depend on other entities: new references must resolve, new target attributes must exist (inherited ones count), and
 * extending must not close a cycle. Existing references are accepted.
 */
export async function referenceProblems(
  db: Db,
  organisationId: number,
  content: EntityContent,
  { previous, id }: { previous?: EntityContent; id: number },
): Promise<Problem[]> {
  const parentId = newParent(content, previous)
  const relationships = newTargets(content, previous)
  const referencedIds = [
    ...relationships.map(item => item.associatedEntity.id),
    ...(parentId === undefined ? [] : [parentId]),
  ]
  if (referencedIds.length === 0) return []
  const referenced = await entitiesByIds(db, organisationId, referencedIds)
  const hidden = new Set([...referenced.values()].filter(entity => entity.hidden === 1).map(entity => entity.id))
  const family = await withAncestors(db, organisationId, referenced.values())
  const place: ProblemStep = { kind: 'entity', id, name: content.name }
  // An entity may refer to itself, also when it is new.
  family.set(id, { ...content, id, path: '' })
  const columns = columnsIn(family)
  const isHiddenFor = hiddenFor(content, previous, hidden)
  const parents = isHiddenFor(null, parentId) ? new Map<number, EntityNode>() : family
  const parent = parentId === undefined ? [] : parentProblems(content, id, parentId, parents, place)
  return [
    ...parent,
    ...relationships.flatMap(item =>
      targetProblems(item, isHiddenFor(item, item.associatedEntity.id) ? () => undefined : columns, place),
    ),
  ]
}

/** Whether a change affects the checks of other entities; such changes are serialised in the organisation. */
export function touchesReferences(content: EntityContent, previous: EntityContent): boolean {
  return (
    newParent(content, previous) !== undefined ||
    newTargets(content, previous).length > 0 ||
    hasNewAlternatives(content, previous) ||
    mayLoseColumns(previous, content) ||
    !isSubset(columnNames(previous), columnNames(content))
  )
}

/**
 * Entities removed from the library are kept hidden for existing references and their copies; new references to them
 * are rejected. For a relationship, or null for the parent.
 */
function hiddenFor(content: EntityContent, previous: EntityContent | undefined, hidden: ReadonlySet<number>) {
  const before = new Map(previous?.entityAttributes.map(item => [item.uid, item.associatedEntity.id]))
  return (item: EntityAttribute | null, id: number | undefined): boolean => {
    if (id === undefined || !hidden.has(id) || before.get(item?.uid ?? '') === id) return false
    return previous !== undefined || (item ?? content).copiedFrom === null
  }
}

function newParent(content: EntityContent, previous: EntityContent | undefined): number | undefined {
  const id = content.extendsEntity?.id
  return id === previous?.extendsEntity?.id ? undefined : id
}

function newTargets(content: EntityContent, previous: EntityContent | undefined): EntityAttribute[] {
  const before = new Map(previous?.entityAttributes.map(item => [item.uid, item]))
  return content.entityAttributes.filter(item => {
    const old = before.get(item.uid)
    return (
      old?.associatedEntity.id !== item.associatedEntity.id ||
      old.associatedEntityTypeAttribute !== item.associatedEntityTypeAttribute ||
      old.associatedEntityTypeAttributeUid !== item.associatedEntityTypeAttributeUid ||
      !isEqual(old.alsoBy, item.alsoBy)
    )
  })
}

/** Alternative targets are not validated, but deletions must find them. */
function hasNewAlternatives(content: EntityContent, previous: EntityContent): boolean {
  const before = new Map(previous.entityAttributes.map(item => [item.uid, alternativeIds(item)]))
  return content.entityAttributes.some(item => !alternativeIds(item).isSubsetOf(before.get(item.uid) ?? new Set()))
}

function alternativeIds({ alternativeTargets }: EntityAttribute): Set<number> {
  return new Set(alternativeTargets.map(({ entity }) => entity.id).filter(id => id > 0))
}

function parentProblems(
  content: EntityContent,
  id: number,
  parentId: number,
  family: ReadonlyMap<number, EntityNode>,
  place: ProblemStep,
): Problem[] {
  const parent = family.get(parentId)
  const message = parent
    ? extendsEntity(parent, { child: { id, name: content.name }, lookup: other => family.get(other) })
    : messages.parentMissing
  return message === undefined ? [] : [problem('extendsEntity', message, [place])]
}

type Columns = (
  entityId: number,
) => { entityName: string; names: ReadonlySet<string>; uids: ReadonlySet<string> } | undefined

/** Folded column names by entity; cached, because thousands of relationships may refer to one entity. */
function columnsIn(family: ReadonlyMap<number, EntityNode>): Columns {
  const cache = new Map<number, ReturnType<Columns>>()
  return id => {
    const entity = family.get(id)
    if (!entity || cache.has(id)) return cache.get(id)
    const columns = resolvedAttributes(entity, other => family.get(other))
    const target = {
      entityName: entity.name,
      names: new Set(columns.map(column => foldName(column.name))),
      uids: new Set(columns.map(uidOf)),
    }
    cache.set(id, target)
    return target
  }
}

function targetProblems(relationship: EntityAttribute, columnsOf: Columns, place: ProblemStep): Problem[] {
  const { uid, foreignKeyTypeAttribute: name, associatedEntity } = relationship
  // A missing target is reported by the content rules.
  if (associatedEntity.id < 1) return []
  const path: ProblemStep[] = [place, { kind: 'entityAttribute', uid, name }]
  const target = columnsOf(associatedEntity.id)
  if (!target) return [problem('associatedEntity', messages.targetMissing, path)]
  const checks = [
    { ...targetColumn(relationship), field: 'associatedEntityTypeAttribute' },
    ...relationship.alsoBy.map(pair => ({ ...pairTarget(pair), field: 'alsoBy' })),
  ]
  return checks.flatMap(({ name: column, uid: columnUid, field }) => {
    // The name may be outdated; the uid is decisive.
    if (columnUid === undefined ? target.names.has(foldName(column)) : target.uids.has(columnUid)) return []
    return [problem(field, messages.targetAttributeMissing(target.entityName, column), path)]
  })
}

function uidOf(column: ResolvedAttribute): string {
  return column.kind === 'type' ? column.attribute.uid : column.relationship.uid
}

function problem(field: string, message: string, path: readonly ProblemStep[]): Problem {
  return { severity: 'error', code: `invalid.${field}`, message, path, field }
}

function columnNames({ typeAttributes, entityAttributes }: EntityContent): Set<string> {
  return new Set([
    ...typeAttributes.map(item => foldName(item.name)),
    ...entityAttributes.map(item => foldName(item.foreignKeyTypeAttribute)),
  ])
}

function isSubset(part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean {
  return [...part].every(name => whole.has(name))
}
