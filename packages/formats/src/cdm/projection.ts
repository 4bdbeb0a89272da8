import { quoted } from '../import-error.ts'
import { readAttribute, type Attribute } from './attribute.ts'
import { bounds } from './bounds.ts'
import { conditionHolds, type Cardinality } from './condition.ts'
import { booleanOf, isObject, listOf, nameOf, numberOf, textOf, type JsonObject } from './json.ts'
import type { Place } from './report.ts'

/** Operations on a list of attributes, in order; operations that never apply are dropped on reading. */
export type Projection = { sequential: boolean; operations: readonly Operation[] }

export type Operation = { onSource: boolean | undefined } & (
  | { kind: 'exclude' | 'include'; names: ReadonlySet<string> }
  | { kind: 'rename'; format: string; names: ReadonlySet<string> | undefined }
  | { kind: 'expand'; start: number; end: number }
  | { kind: 'combine'; names: ReadonlySet<string>; into: Attribute }
  | { kind: 'replace'; reference: string; by: Attribute }
  | { kind: 'add'; attribute: Attribute; first: boolean }
  | { kind: 'keep' }
)

/** Reads the operations of one projection. Unsupported operations are reported and left out. */
function readProjection(json: JsonObject, place: Place, cardinality: Cardinality): Projection {
  const runs = holds(json, place, cardinality)
  const operations = runs ? listOf(json['operations']).filter(isObject) : []
  return {
    sequential: booleanOf(json['runSequentially']) === true,
    operations: operations.flatMap(operation => {
      if (!holds(operation, place, cardinality)) return []
      return readOperation(operation, place) ?? []
    }),
  }
}

/** Flattens nested projections, innermost first, without empty ones. */
export function projectionsOf(json: JsonObject, place: Place, cardinality = plainCardinality): Projection[] {
  const { source } = json
  const inner = isObject(source) ? projectionsOf(source, place, cardinality) : []
  if (json['operations'] === undefined) return inner
  const projection = readProjection(json, place, cardinality)
  return projection.operations.length > 0 ? [...inner, projection] : inner
}

export const plainCardinality: Cardinality = { minimum: 0, maximum: 1 }

function holds(json: JsonObject, place: Place, cardinality: Cardinality): boolean {
  const condition = textOf(json['condition'])
  const value = conditionHolds(condition, cardinality)
  if (value === undefined)
    place.changed(`The condition ${quoted(condition ?? '')} is not supported; it was read as true.`)
  return value ?? true
}

function readOperation(json: JsonObject, place: Place): Operation | undefined {
  const operation = operationOf(json, place)
  if (operation) return { ...operation, onSource: booleanOf(json['sourceInput']) }
  place.lost(`The operation ${quoted(String(json['$type']))} is not supported; it was left out.`)
  return undefined
}

type Bare<T> = T extends unknown ? Omit<T, 'onSource'> : never

function operationOf(json: JsonObject, place: Place): Bare<Operation> | undefined {
  switch (json['$type']) {
    case 'excludeAttributes':
      return { kind: 'exclude', names: namesOf(json['excludeAttributes']) }
    case 'includeAttributes':
      return { kind: 'include', names: namesOf(json['includeAttributes']) }
    case 'renameAttributes':
      return readRename(json)
    case 'arrayExpansion':
      return { kind: 'expand', start: numberOf(json['startOrdinal']) ?? 0, end: numberOf(json['endOrdinal']) ?? 0 }
    case 'addAttributeGroup':
      place.lost(
        `The attribute group ${quoted(textOf(json['attributeGroupName']) ?? '')} was left out; its attributes were included without it.`,
      )
      return { kind: 'keep' }
    case 'combineAttributes':
      return withAttribute(json['mergeInto'], place, into => ({
        kind: 'combine',
        names: namesOf(json['select']),
        into,
      }))
    case 'replaceAsForeignKey':
      return withAttribute(json['replaceWith'], place, by => ({
        kind: 'replace',
        reference: nameOf(json['reference']) ?? '',
        by,
      }))
    default:
      return readAddition(json, place)
  }
}

const additions: ReadonlyMap<unknown, string> = new Map([
  ['addTypeAttribute', 'typeAttribute'],
  ['addCountAttribute', 'countAttribute'],
  ['addSupportingAttribute', 'supportingAttribute'],
  ['addArtifactAttribute', 'newAttribute'],
])

function readAddition(json: JsonObject, place: Place): Bare<Operation> | undefined {
  const added = json[additions.get(json['$type']) ?? '']
  // References and groups cannot be added by these operations.
  if (isObject(added) && (added['entity'] !== undefined || added['attributeGroupReference'] !== undefined))
    return undefined
  const first = booleanOf(json['insertAtTop']) === true
  return withAttribute(added, place, attribute => ({ kind: 'add', attribute, first }))
}

function readRename(json: JsonObject): Bare<Operation> | undefined {
  const format = textOf(json['renameFormat'])
  if (format === undefined || format.length > bounds.renameFormatLength) return undefined
  const { applyTo } = json
  return { kind: 'rename', format, names: applyTo === undefined ? undefined : namesOf(applyTo) }
}

function withAttribute(
  json: unknown,
  place: Place,
  make: (attribute: Attribute) => Bare<Operation>,
): Bare<Operation> | undefined {
  const attribute = isObject(json) ? readAttribute(json, place) : undefined
  return attribute && make(attribute)
}

function namesOf(value: unknown): Set<string> {
  return new Set((typeof value === 'string' ? [value] : listOf(value)).flatMap(item => nameOf(item) ?? []))
}
