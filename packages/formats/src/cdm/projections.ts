import { quoted } from '../import-error.ts'
import { isObject, listOf, nameOf, numberOf, textOf, type JsonObject } from './json.ts'
import { readAsOne, readTarget } from './guidance.ts'
import { describedBy, readAttribute, reportOtherProperties, type Attribute } from './attribute.ts'
import type { Cardinality } from './condition.ts'
import { type Member, type ReadMembers, type Target, targetsOf } from './member.ts'
import { plainCardinality, projectionsOf, type Projection } from './projection.ts'
import type { Place } from './report.ts'

/** Whether the entity of an attribute is a projection: a source with operations. */
export function isProjected(entity: unknown): boolean {
  return isObject(entity) && (entity['source'] !== undefined || entity['operations'] !== undefined)
}

/**
 * Reads an entity attribute written as a projection. One that replaces its source by a foreign key becomes a
 * reference, whose attribute is `replaceWith`. Any other includes the source's attributes as modified by the
 * operations.
 */
export function readProjectedReference(json: JsonObject, place: Place, readMembers: ReadMembers): Member | undefined {
  const name = nameOf(json['name'])
  const entity = json['entity']
  if (name === undefined || !isObject(entity)) {
    place.lost('A reference without a name was left out.')
    return undefined
  }
  const inPlace = place.in(name)
  const projections = projectionsOf(entity, inPlace, cardinalityOf(json))
  if (isOneOfMany(json, projections)) inPlace.changed(readAsOne)
  const target = readTarget(innermost(entity), place, readMembers)
  const made = foreignKeyOf(projections)
  const key = made ?? plainKey(json, projections, inPlace)
  if (made || !key) reportOtherProperties(json, inPlace, true)
  if (!key) return { kind: 'projected', name, target, projections }
  const { reference, by, type } = key
  return {
    kind: 'reference',
    name,
    targets:
      typeof target.entity === 'string'
        ? [{ ...target, attribute: reference ?? target.attribute }]
        : optionsOf(target.entity),
    selectsOne: false,
    isPlain: false,
    byReference: true,
    foreignKey: describedBy(json, by),
    typeAttribute: type && describedBy({ ...json, appliedTraits: undefined }, type),
    renameFormat: '{m}',
    expansion: undefined,
    takes: undefined,
    description: textOf(json['description']),
  }
}

type ForeignKey = { reference: string | undefined; by: Attribute; type: Attribute | undefined }

/**
 * The foreign key, if the projection yields nothing else, and the attribute after it that identifies the target
 * entity.
 */
function foreignKeyOf(projections: readonly Projection[]): ForeignKey | undefined {
  if (projections.some(({ sequential, operations }) => !sequential && operations.length > 1)) return undefined
  const operations = projections.flatMap(projection => projection.operations)
  if (operations.some(operation => operation.onSource === true)) return undefined
  const [replace, added, ...more] = operations.filter(operation => operation.kind !== 'combine')
  if (replace?.kind !== 'replace' || more.length > 0) return undefined
  if (added === undefined) return { reference: replace.reference, by: replace.by, type: undefined }
  if (added.kind !== 'add' || added.first) return undefined
  return { reference: replace.reference, by: replace.by, type: added.attribute }
}

/** Attributes that the projections of a type attribute add after it; `projections` is a list or a single object. */
export function supportingOfProjections(json: JsonObject, place: Place): Attribute[] {
  const projections = json['projections']
  if (projections === undefined) return []
  const operations = (isObject(projections) ? [projections] : listOf(projections))
    .filter(isObject)
    .flatMap(operationsOf)
  return operations.flatMap(operation => {
    // Virtual attributes are not part of the resolved list.
    if (operation['condition'] === 'virtual') return []
    const supporting = operation['supportingAttribute']
    if (operation['$type'] === 'addSupportingAttribute' && isObject(supporting)) {
      return readAttribute(supporting, place) ?? []
    }
    place.lost(`The operation ${quoted(String(operation['$type']))} is not supported; it was left out.`)
    return []
  })
}

function optionsOf(members: string | readonly Member[]): Target[] {
  if (typeof members === 'string') return []
  return members.flatMap(targetsOf)
}

/** Collects the operations of nested projections, innermost first. */
function operationsOf(entity: JsonObject): JsonObject[] {
  const source = entity['source']
  const inner = isObject(source) && isProjected(source) ? operationsOf(source) : []
  return [...inner, ...listOf(entity['operations']).filter(isObject)]
}

function innermost(entity: JsonObject): JsonObject {
  const source = entity['source']
  return isObject(source) && isProjected(source) ? innermost(source) : entity
}

/** Without operations, an entity attribute with a data type describes its own foreign key. */
function plainKey(json: JsonObject, projections: readonly Projection[], place: Place): ForeignKey | undefined {
  if (projections.length > 0 || json['dataType'] === undefined) return undefined
  const by = readAttribute(json, place)
  if (by) place.changed('No operation makes it a foreign key, but it has a data type; it was read as a foreign key.')
  return by && { reference: undefined, by, type: undefined }
}

/** Whether the cardinality declares several values but no operation expands them. */
export function isOneOfMany(json: JsonObject, projections: readonly Projection[]): boolean {
  const isMany = json['cardinality'] === 'many' || cardinalityOf(json).maximum > plainCardinality.maximum
  return isMany && !projections.some(({ operations }) => operations.some(({ kind }) => kind === 'expand'))
}

function cardinalityOf(json: JsonObject): Cardinality {
  const cardinality = isObject(json['cardinality']) ? json['cardinality'] : {}
  const maximum = cardinality['maximum'] === '*' ? Number.POSITIVE_INFINITY : numberOf(cardinality['maximum'])
  return {
    minimum: numberOf(cardinality['minimum']) ?? plainCardinality.minimum,
    maximum: maximum ?? plainCardinality.maximum,
  }
}
