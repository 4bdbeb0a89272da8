import { quoted } from '../import-error.ts'
import { type Attribute, readAttribute } from './attribute.ts'
import { isList, readAsOne, readGuidedReference, supportingOfGuidance } from './guidance.ts'
import { isInvalidList, isObject, listOf, nameOf } from './json.ts'
import { type Projection, projectionsOf } from './projection.ts'
import { isOneOfMany, isProjected, readProjectedReference, supportingOfProjections } from './projections.ts'
import type { Place } from './report.ts'
import { traitNames } from './traits.ts'

/** An item of `hasAttributes` or of a group's `members`. */
export type Member =
  | {
      kind: 'attribute'
      attribute: Attribute
      supporting: readonly Attribute[]
      removes: boolean
      projections: readonly Projection[]
    }
  | { kind: 'named'; name: string }
  | { kind: 'group'; members: readonly Member[] }
  | { kind: 'projected'; name: string; target: Target; projections: readonly Projection[] }
  | Reference

/** An entity attribute, with resolution guidance or as a projection. */
export type Reference = {
  kind: 'reference'
  name: string
  /** With `selectsOne` the targets are alternatives; otherwise there is one target. */
  targets: readonly Target[]
  selectsOne: boolean
  /** Has neither guidance nor operations, so nothing requests a foreign key. */
  isPlain: boolean
  /** If false, the target's attributes are included instead of a foreign key. */
  byReference: boolean
  foreignKey: Attribute | undefined
  typeAttribute: Attribute | undefined
  renameFormat: string | undefined
  /** First ordinal, number of repetitions, and the attribute that holds the count. */
  expansion: { start: number; count: number; counted: Attribute | undefined } | undefined
  takes: InheritFilter | undefined
  description: string | undefined
}

/** Selection of attributes to inherit from a parent or include from an entity. */
export type InheritFilter = { take: ReadonlySet<string> | undefined; avoid: ReadonlySet<string> }

/** `entity`: a name, or the members of an inline entity. */
export type Target = { entity: string | readonly Member[]; attribute: string | undefined }

/** Reads nested members. Passed as a parameter to avoid an import cycle. */
export type ReadMembers = (value: unknown, place: Place) => Member[]

export function readMembers(value: unknown, place: Place): Member[] {
  if (isInvalidList(value)) place.warning('Its attributes are not a list; they were left out.')
  return listOf(value).flatMap(item => readMember(item, place) ?? [])
}

function readMember(item: unknown, place: Place): Member | undefined {
  if (typeof item === 'string') return nameOf(item) === undefined ? undefined : { kind: 'named', name: item }
  if (!isObject(item)) {
    place.warning('An attribute that is neither a name nor an object was left out.')
    return undefined
  }
  const group = item['attributeGroupReference'] ?? item['attributeReference']
  if (group !== undefined) {
    gatherTraits(item['appliedTraits'], place)
    if (isObject(item['resolutionGuidance'])) {
      place.warning(
        'The resolution guidance of an attribute group was left out; its attributes were included unchanged.',
      )
    }
    return readGroup(group, place)
  }
  if (nameOf(item['attributeGroupName']) !== undefined) return readGroup(item, place)
  if (item['entity'] !== undefined) {
    return isProjected(item['entity'])
      ? readProjectedReference(item, place, readMembers)
      : readGuidedReference(item, place, readMembers)
  }
  const attribute = readAttribute(item, place)
  if (!attribute) return undefined
  const guidance = supportingOfGuidance(item, place)
  const supporting = [...guidance.supporting, ...supportingOfProjections(item, place)]
  const { projection } = item
  const projections = isObject(projection) ? projectionsOf(projection, place.in(attribute.name)) : []
  const isMany = isList(item['resolutionGuidance']) || isOneOfMany(item, projections)
  if (isMany && !guidance.removes) place.in(attribute.name).warning(readAsOne)
  return { kind: 'attribute', attribute, supporting, removes: guidance.removes, projections }
}

/** The model has no groups, so traits of groups are only reported. */
export function gatherTraits(traits: unknown, place: Place): void {
  place.gather('groupTraits', traitNames(traits))
}

function readGroup(group: unknown, place: Place): Member | undefined {
  const name = nameOf(group)
  if (name !== undefined) return { kind: 'named', name }
  if (isObject(group)) {
    gatherTraits(group['exhibitsTraits'], place)
    if (group['members'] !== undefined) return { kind: 'group', members: readMembers(group['members'], place) }
    if (listOf(group['operations']).length > 0) {
      place.warning('The operations on an attribute group were left out; its attributes were included unchanged.')
    }
    const source = group['source'] ?? group['attributeGroupReference']
    if (source !== undefined) return readGroup(source, place)
  }
  place.warning(`An attribute group is invalid: ${quoted(JSON.stringify(group))}.`)
  return undefined
}
