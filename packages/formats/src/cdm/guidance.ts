import { quoted } from '../import-error.ts'
import { booleanOf, isObject, listOf, nameOf, numberOf, textOf, type JsonObject } from './json.ts'
import { bounds } from './bounds.ts'
import { describedBy, readAttribute, reportOtherProperties, type Attribute } from './attribute.ts'
import { traitArguments } from './traits.ts'
import type { InheritFilter, ReadMembers, Reference, Target } from './member.ts'
import type { Place } from './report.ts'

/** Reads an entity attribute with resolution guidance or none. */
export function readGuidedReference(json: JsonObject, place: Place, readMembers: ReadMembers): Reference | undefined {
  const name = nameOf(json['name'])
  if (name === undefined) {
    place.lost('A reference without a name was left out.')
    return undefined
  }
  const guidance = isObject(json['resolutionGuidance']) ? json['resolutionGuidance'] : undefined
  reportOtherProperties(json, place.in(name), true)
  const byReference = isObject(guidance?.['entityByReference']) ? guidance['entityByReference'] : undefined
  const selects = isObject(guidance?.['selectsSubAttribute']) ? guidance['selectsSubAttribute'] : undefined
  const expansion = isObject(guidance?.['expansion']) ? guidance['expansion'] : undefined
  const foreignKey = byReference?.['foreignKeyAttribute']
  const removed = listOf(guidance?.['removedDirectives'])
  const isMany = guidance?.['cardinality'] === 'many' && removed.includes('referenceOnly')
  if (isList(guidance) && !isMany) place.in(name).changed(readAsOne)
  const isReference =
    guidance === undefined ||
    (byReference !== undefined && booleanOf(byReference['allowReference']) !== false && !isMany)
  const key = isObject(foreignKey) ? readAttribute(foreignKey, place.in(name)) : undefined
  return {
    kind: 'reference',
    name,
    targets: [readTarget(json['entity'], place, readMembers)],
    selectsOne:
      (selects !== undefined && (selects['selects'] ?? 'one') === 'one') ||
      listOf(guidance?.['imposedDirectives']).includes('selectOne'),
    isPlain: guidance === undefined,
    byReference: isReference,
    foreignKey: isReference ? describedBy(json, key ?? { name: 'id', dataType: 'entityId' }) : key,
    typeAttribute: selects && readSelectedType(selects, place.in(name)),
    renameFormat: formatOf(guidance?.['renameFormat']),
    expansion: isMany && expansion ? readExpansion(expansion, place.in(name)) : undefined,
    takes: readFilter(guidance),
    description: textOf(json['description']),
  }
}

/** Whether the guidance declares an array. */
export function isList(guidance: unknown): boolean {
  return isObject(guidance) && (isObject(guidance['expansion']) || guidance['cardinality'] === 'many')
}

export const readAsOne = 'It is a list (cardinality many); it was read as a single value.'

/** Report text for a reference without guidance or operations. */
export const plainReference = 'It has no resolution guidance and no operations; it was read as a foreign key.'

/** Report text for a polymorphic reference without a resolvable target, e.g. if all are inside a group. */
export const noTarget = 'Its target entity could not be determined; it was read as a plain attribute.'

/** The attribute that identifies the selected target of a polymorphic reference; the default name is `type`. */
function readSelectedType(selects: JsonObject, place: Place): Attribute | undefined {
  const typeAttribute = selects['selectedTypeAttribute']
  if (isObject(typeAttribute)) return readAttribute(typeAttribute, place)
  return (selects['selects'] ?? 'one') === 'one' ? { name: 'type', dataType: 'entityName' } : undefined
}

/** Reads the filter of `selectsSubAttribute: some` in an entity attribute or `extendsEntityResolutionGuidance`. */
export function readFilter(guidance: unknown): InheritFilter | undefined {
  const selects = isObject(guidance) ? guidance['selectsSubAttribute'] : undefined
  if (!isObject(selects) || selects['selects'] !== 'some') return undefined
  const take = selects['selectsSomeTakeNames']
  // An empty take list selects nothing; a missing one selects everything.
  return { take: Array.isArray(take) ? namesOf(take) : undefined, avoid: namesOf(selects['selectsSomeAvoidNames']) }
}

/** Whether guidance on the parent contains more than an attribute filter, the only supported part. */
export function hasUnsupportedGuidance(guidance: unknown): boolean {
  if (!isObject(guidance)) return false
  const { selectsSubAttribute: selects, ...others } = guidance
  const isChoice = selects === undefined || (isObject(selects) && selects['selects'] === 'some')
  return !isChoice || ['expansion', 'cardinality', 'addSupportingAttribute', 'renameFormat'].some(key => key in others)
}

/** Attributes that the guidance adds after a type attribute, and whether it removes the attribute. */
export function supportingOfGuidance(json: JsonObject, place: Place): { supporting: Attribute[]; removes: boolean } {
  const guidance = json['resolutionGuidance']
  if (!isObject(guidance)) return { supporting: [], removes: false }
  const added = guidance['addSupportingAttribute']
  const supporting = isObject(added) ? readAttribute(added, place) : undefined
  return { supporting: supporting ? [supporting] : [], removes: booleanOf(guidance['removeAttribute']) === true }
}

/**
 * Applies a rename format: {a} the entity attribute, {o} its ordinal, {m} the member, {mo} its first name; upper case
 * capitalises the value. Undefined if the result is too long.
 */
export function renamed(
  format: string,
  attribute: string,
  ordinal: string,
  member: string,
  original = member,
): string | undefined {
  const parts: string[] = []
  let length = 0
  for (const [index, part] of format.split(/\{(a|o|mo|m)\}/i).entries()) {
    const text = index % 2 === 0 ? part : expand(part, attribute, ordinal, member, original)
    length += text.length
    if (length > Math.max(bounds.madeNameLength, member.length)) return undefined
    parts.push(text)
  }
  return parts.join('')
}

function expand(sign: string, attribute: string, ordinal: string, member: string, original: string): string {
  const kind = sign.toLowerCase()
  if (kind === 'o') return ordinal
  const name = kind === 'a' ? attribute : kind === 'm' ? member : original
  return sign.startsWith(kind.charAt(0)) ? name : raised(name)
}

/** Report text for a name that was left unchanged. */
export function tooLongName(format: string, name: string): string {
  return `The name that the format ${quoted(format)} makes of ${quoted(name)} has more than ${bounds.madeNameLength} characters; it was left as it is.`
}

/** Reads a named or inline target, with the attribute referenced by its `is.identifiedBy` trait. */
export function readTarget(entity: unknown, place: Place, readMembers: ReadMembers): Target {
  if (!isObject(entity)) return { entity: nameOf(entity) ?? '', attribute: undefined }
  const [argument] = traitArguments(entity['appliedTraits'], 'is.identifiedBy')
  const attribute = nameOf(argument)?.split('/').at(-1)
  const reference = entity['entityReference'] ?? entity['source']
  if (!isObject(reference)) return { entity: nameOf(reference) ?? '', attribute }
  if (reference['entityReference'] !== undefined || reference['source'] !== undefined) {
    return readTarget(reference, place, readMembers)
  }
  const name = textOf(reference['entityName']) ?? ''
  if (!('hasAttributes' in reference) && name === '') {
    place.lost(`A reference is invalid: ${quoted(JSON.stringify(reference))}.`)
  }
  return { entity: readMembers(reference['hasAttributes'], place), attribute }
}

function readExpansion(expansion: JsonObject, place: Place): Reference['expansion'] {
  const count = Math.floor(numberOf(expansion['maximumExpansion']) ?? 0)
  const counted = expansion['countAttribute']
  return {
    start: numberOf(expansion['startingOrdinal']) ?? 0,
    count: Math.max(0, Math.min(bounds.expansions, count)),
    counted:
      isObject(counted) && !supportingOfGuidance(counted, place).removes ? readAttribute(counted, place) : undefined,
  }
}

/** Ignores formats above the length limit. */
function formatOf(value: unknown): string | undefined {
  const format = textOf(value)
  return format !== undefined && format.length <= bounds.renameFormatLength ? format : undefined
}

function namesOf(value: unknown): Set<string> {
  return new Set(listOf(value).filter(item => typeof item === 'string'))
}

function raised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
