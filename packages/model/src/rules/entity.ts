import { type Column, columnsOf } from '../columns.ts'
import type { EntityAttribute } from '../entity-attribute.ts'
import { type EntityContent, type EntityNode, primaryKeyOf } from '../entity.ts'
import type { Field } from '../fields/field.ts'
import { shapeFields, typeAttributeFields } from '../fields/type-attribute.ts'
import { closesExtendsCycle, type EntityLookup } from '../inherit.ts'
import { limits } from '../limits.ts'
import { messages } from '../messages.ts'
import { foldName } from '../paths.ts'
import type { Problem, ProblemStep } from '../problem.ts'
import { isPrimaryKey, type TypeAttribute } from '../type-attribute.ts'
import { entityName, isTaken, takenNames } from './names.ts'
import { typeAttributeName } from './type-attribute.ts'
import { alternativeTargets, associatedEntity, foreignKeyName, keyPairFaults, targetAttribute } from './relationship.ts'
import { checkFaults, faultText } from './checks.ts'
import { groupFaults } from './groups.ts'
import { newScopes } from './scopes.ts'

type Options = {
  /** Content before the change. Its existing values are accepted, because an import may have created them. */
  previous?: EntityContent
  /** Id of a stored entity. */
  id?: number
}

/**
 * Applies every rule to a complete content and returns all problems with their paths. Checks that need other entities (unique names,
 * extends) are separate.
 */
export function entityProblems(content: EntityContent, { previous, id = -1 }: Options = {}): Problem[] {
  const entity: ProblemStep = { kind: 'entity', id, name: content.name }
  return [
    ...ownProblems(content, previous, [entity]),
    ...typeAttributeProblems(content, previous, [entity]),
    ...relationshipProblems(content, previous, [entity], id),
  ]
}

type Path = readonly ProblemStep[]

function ownProblems(content: EntityContent, previous: EntityContent | undefined, path: Path): Problem[] {
  const problems: Problem[] = []
  if (content.name !== previous?.name) add(problems, path, 'name', entityName(content.name))
  add(problems, path, 'operationScopes', newScopes(content.operationScopes, previous?.operationScopes))
  problems.push(...lengthProblems(content, previous, path))
  for (const fault of groupFaults(content, previous)) add(problems, path, 'groups', fault)
  for (const fault of checkFaults(content, previous)) add(problems, path, 'checks', faultText(fault))
  const keys = content.typeAttributes.filter(isPrimaryKey)
  const before = earlierItems(content.typeAttributes, previous?.typeAttributes)
  const keysBefore = [...before.values()].filter(isPrimaryKey).length
  if (keys.length > Math.max(1, keysBefore)) add(problems, path, 'typeAttributes', messages.oneKey)
  return problems
}

/**
 * Two concurrent saves may each be within the limit but not both together. A list above the limit may be kept or
 * reduced.
 */
function lengthProblems(content: EntityContent, previous: EntityContent | undefined, path: Path): Problem[] {
  const problems: Problem[] = []
  for (const [field, what, limit] of [
    ['typeAttributes', 'type attributes', limits.attributes],
    ['entityAttributes', 'relationships', limits.relationships],
    ['groups', 'groups', limits.groups.max],
    ['checks', 'checks', limits.checks.max],
  ] as const) {
    const { length } = content[field]
    if (length > Math.max(limit, previous?.[field].length ?? 0))
      add(problems, path, field, messages.tooManyTogether(what, limit, length))
  }
  return problems
}

function typeAttributeProblems(content: EntityContent, previous: EntityContent | undefined, path: Path): Problem[] {
  const before = earlierItems(content.typeAttributes, previous?.typeAttributes)
  // A new foreign key that repeats an attribute is reported at the relationship.
  const foreignKeys = takenNames(unchangedForeignKeys(content, previous))
  const taken = new Set<string>()
  const problems: Problem[] = []
  // Unchanged names come first, so that a repeated name is reported at the changed one.
  for (const attribute of unchangedFirst(content.typeAttributes, item => before.get(item.uid)?.name === item.name)) {
    const old = before.get(attribute.uid)
    const place: Path = [...path, { kind: 'typeAttribute', uid: attribute.uid, name: attribute.name }]
    if (old?.name !== attribute.name) {
      add(problems, place, 'name', typeAttributeName(attribute.name, { taken, foreignKeys }))
    }
    taken.add(foldName(attribute.name))
    addTypeProblems(problems, place, attribute, old)
  }
  return problems
}

/** Problems of an attribute other than its name; its previous values are accepted. */
export function shapeProblems(attribute: TypeAttribute, old: TypeAttribute | undefined): Problem[] {
  const problems: Problem[] = []
  addTypeProblems(problems, [], attribute, old)
  return problems
}

function addTypeProblems(
  problems: Problem[],
  path: Path,
  attribute: TypeAttribute,
  old: TypeAttribute | undefined,
): void {
  for (const name of shapeFields) {
    const { rule }: Field<TypeAttribute> = typeAttributeFields[name]
    if (!rule || [name, ...rule.reads].every(field => old && isSame(old[field], attribute[field]))) continue
    add(problems, path, name, rule.check(attribute[name], attribute, old?.[name]))
  }
}

function relationshipProblems(
  content: EntityContent,
  previous: EntityContent | undefined,
  path: Path,
  entityId: number,
): Problem[] {
  const before = earlierItems(content.entityAttributes, previous?.entityAttributes)
  const primaryKey = primaryKeyOf(content)
  const attributes = takenNames(content.typeAttributes.map(item => item.name))
  const taken = new Set<string>()
  const problems: Problem[] = []
  const [columns, columnsBefore] = [columnsByUid(content), columnsByUid(previous ?? content)]
  const isUnchanged = (item: EntityAttribute) =>
    before.get(item.uid)?.foreignKeyTypeAttribute === item.foreignKeyTypeAttribute
  for (const relationship of unchangedFirst(content.entityAttributes, isUnchanged)) {
    const old = before.get(relationship.uid)
    const name = relationship.foreignKeyTypeAttribute
    const place: Path = [...path, { kind: 'entityAttribute', uid: relationship.uid, name }]
    if (!isUnchanged(relationship)) {
      const repeated = isTaken(name, attributes) ? messages.attributeExists(name) : undefined
      add(problems, place, 'foreignKeyTypeAttribute', foreignKeyName(name, { primaryKey, taken }) ?? repeated)
    }
    taken.add(foldName(name))
    if (!old || old.associatedEntity.id !== relationship.associatedEntity.id) {
      add(problems, place, 'associatedEntity', associatedEntity(relationship.associatedEntity, { entityId }))
    }
    if (old?.associatedEntityTypeAttribute !== relationship.associatedEntityTypeAttribute) {
      add(problems, place, 'associatedEntityTypeAttribute', targetAttribute(relationship.associatedEntityTypeAttribute))
    }
    add(problems, place, 'alsoBy', newPairFault(relationship, columns, old, columnsBefore))
    const further = alternativeTargets(relationship.alternativeTargets, old?.alternativeTargets)
    add(problems, place, 'alternativeTargets', further)
  }
  return problems
}

type ColumnsByUid = () => ReadonlyMap<string, Column>

function newPairFault(
  relationship: EntityAttribute,
  columns: ColumnsByUid,
  old: EntityAttribute | undefined,
  columnsBefore: ColumnsByUid,
): string | undefined {
  const known = new Set(old ? keyPairFaults(old, columnsBefore) : [])
  return keyPairFaults(relationship, columns).find(fault => !known.has(fault))
}

/** Own columns by uid, made once, on first use. */
function columnsByUid(content: EntityContent | undefined): ColumnsByUid {
  let columns: ReadonlyMap<string, Column> | undefined
  return () => (columns ??= new Map((content ? columnsOf(content) : []).map(column => [column.uid, column])))
}

function unchangedForeignKeys(content: EntityContent, previous: EntityContent | undefined): string[] {
  const before = earlierItems(content.entityAttributes, previous?.entityAttributes)
  const names = content.entityAttributes.map(item => ({ uid: item.uid, name: item.foreignKeyTypeAttribute }))
  return names.filter(item => before.get(item.uid)?.foreignKeyTypeAttribute === item.name).map(item => item.name)
}

function add(problems: Problem[], path: Path, field: string, message: string | undefined): void {
  if (message !== undefined) problems.push({ severity: 'error', code: `invalid.${field}`, message, path, field })
}

/** The previous items by uid. In a new entity copied items count as existing: the rules applied to their source. */
function earlierItems<T extends { uid: string; copiedFrom: string | null }>(
  items: readonly T[],
  previous: readonly T[] | undefined,
): Map<string, T> {
  const earlier = previous ?? items.filter(item => item.copiedFrom !== null)
  return new Map(earlier.map(item => [item.uid, item]))
}

function unchangedFirst<T>(items: readonly T[], isUnchanged: (item: T) => boolean): T[] {
  return [...items.filter(isUnchanged), ...items.filter(item => !isUnchanged(item))]
}

function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, index) => item === b[index])
  return a === b
}

/** Whether the entity may extend `parent`: refused if the parent is the entity or extends it directly or indirectly. */
export function extendsEntity(
  parent: EntityNode,
  { child, lookup }: { child: Pick<EntityNode, 'id' | 'name'>; lookup: EntityLookup },
): string | undefined {
  return closesExtendsCycle(child, parent, lookup) ? messages.extendsCycle(parent.name, child.name) : undefined
}
