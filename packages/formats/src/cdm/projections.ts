import { quoted } from '../import-error.ts'
import { isObject, listOf, nameOf, textOf, type JsonObject } from './json.ts'
import { readTarget } from './guidance.ts'
import { readAttribute, type Attribute } from './attribute.ts'
import type { Member, ReadMembers, Reference, Target } from './member.ts'
import type { Place } from './report.ts'

/** Style B: the entity is a projection, a source with operations on it. */
export function isProjected(entity: unknown): boolean {
  return isObject(entity) && (entity['source'] !== undefined || entity['operations'] !== undefined)
}

/** A reference written as a projection. The attribute it yields is `replaceWith`, under its own name. */
export function readProjectedReference(
  json: JsonObject,
  place: Place,
  readMembers: ReadMembers,
): Reference | undefined {
  const name = nameOf(json['name'])
  const entity = json['entity']
  if (name === undefined || !isObject(entity)) {
    place.warning('A reference without a name was left out.')
    return undefined
  }
  const operations = operationsOf(entity)
  const inPlace = place.in(name)
  reportUnknown(operations, inPlace)
  const replace = operations.find(operation => operation['$type'] === 'replaceAsForeignKey')
  const foreignKey = replace?.['replaceWith']
  const added = operations.find(operation => operation['$type'] === 'addTypeAttribute')?.['typeAttribute']
  const target = readTarget(innermost(entity), place, readMembers)
  const isChoice = typeof target.entity !== 'string'
  return {
    kind: 'reference',
    name,
    targets: isChoice
      ? optionsOf(target.entity)
      : [{ ...target, attribute: nameOf(replace?.['reference']) ?? target.attribute }],
    selectsOne: false,
    byReference: true,
    foreignKey: isObject(foreignKey) ? describedBy(json, readAttribute(foreignKey, inPlace)) : plainKey(json, inPlace),
    typeAttribute: isObject(added) ? describedBy(json, readAttribute(added, inPlace)) : undefined,
    renameFormat: '{m}',
    expansion: undefined,
    takes: undefined,
    description: textOf(json['description']),
  }
}

/** Attributes that the projections of a type attribute add after it. They may be a list or a single one. */
export function supportingOfProjections(json: JsonObject, place: Place): Attribute[] {
  const projections = json['projections']
  if (projections === undefined) return []
  const operations = (isObject(projections) ? [projections] : listOf(projections))
    .filter(isObject)
    .flatMap(operationsOf)
  return operations.flatMap(operation => {
    // A virtual attribute exists for readers that ask for it; it is not in the resolved list.
    if (operation['condition'] === 'virtual') return []
    const supporting = operation['supportingAttribute']
    if (operation['$type'] === 'addSupportingAttribute' && isObject(supporting)) {
      return readAttribute(supporting, place) ?? []
    }
    place.warning(`The operation ${quoted(String(operation['$type']))} was not understood and left out.`)
    return []
  })
}

function optionsOf(members: string | readonly Member[]): Target[] {
  if (typeof members === 'string') return []
  return members.flatMap(member => (member.kind === 'reference' ? member.targets : []))
}

/** A projection may have a projection as its source: the operations of all, the innermost first. */
function operationsOf(entity: JsonObject): JsonObject[] {
  const source = entity['source']
  const inner = isObject(source) && isProjected(source) ? operationsOf(source) : []
  return [...inner, ...listOf(entity['operations']).filter(isObject)]
}

function innermost(entity: JsonObject): JsonObject {
  const source = entity['source']
  return isObject(source) && isProjected(source) ? innermost(source) : entity
}

/** Without `replaceAsForeignKey` the entity attribute describes its key itself. */
function plainKey(json: JsonObject, place: Place): Attribute | undefined {
  return json['dataType'] === undefined ? undefined : readAttribute(json, place)
}

/** Texts that the key does not have are those of the entity attribute: both describe the same thing. */
function describedBy(json: JsonObject, key: Attribute | undefined): Attribute | undefined {
  if (!key) return undefined
  const description = key.description ?? textOf(json['description'])
  const displayName = key.displayName ?? textOf(json['displayName'])
  return {
    ...key,
    ...(description === undefined ? {} : { description }),
    ...(displayName === undefined ? {} : { displayName }),
  }
}

const knownOperations: ReadonlySet<unknown> = new Set(['replaceAsForeignKey', 'addTypeAttribute', 'combineAttributes'])

function reportUnknown(operations: readonly JsonObject[], place: Place): void {
  for (const operation of operations) {
    if (knownOperations.has(operation['$type'])) continue
    place.warning(`The operation ${quoted(String(operation['$type']))} was not understood and left out.`)
  }
}
