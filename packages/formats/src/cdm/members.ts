import { quoted } from '../import-error.ts'
import { readAttribute } from './attribute.ts'
import { isList, readAsOne, readGuidedReference, supportingOfGuidance } from './guidance.ts'
import { isInvalidList, isObject, listOf, nameOf } from './json.ts'
import type { Member } from './member.ts'
import { projectionsOf } from './projection.ts'
import { isOneOfMany, isProjected, readProjectedReference, supportingOfProjections } from './projections.ts'
import type { Place } from './report.ts'
import { traitNames } from './traits.ts'

export function readMembers(value: unknown, place: Place): Member[] {
  if (isInvalidList(value)) place.lost('Its attributes are not a list; they were left out.')
  return listOf(value).flatMap(item => readMember(item, place) ?? [])
}

function readMember(item: unknown, place: Place): Member | undefined {
  if (typeof item === 'string') return nameOf(item) === undefined ? undefined : { kind: 'named', name: item }
  if (!isObject(item)) {
    place.lost('An attribute that is neither a name nor an object was left out.')
    return undefined
  }
  const group = item['attributeGroupReference'] ?? item['attributeReference']
  if (group !== undefined) {
    gatherTraits(item['appliedTraits'], place)
    if (isObject(item['resolutionGuidance'])) {
      place.changed(
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
  if (isMany && !guidance.removes) place.in(attribute.name).changed(readAsOne)
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
      place.changed('The operations on an attribute group were left out; its attributes were included unchanged.')
    }
    const source = group['source'] ?? group['attributeGroupReference']
    if (source !== undefined) return readGroup(source, place)
  }
  place.lost(`An attribute group is invalid: ${quoted(JSON.stringify(group))}.`)
  return undefined
}
