import { dataTypes } from '@cadmus/model/data-types'
import { formatWords } from '@cadmus/model/fields/type-attribute'
import { isEqual, isRecord } from '@cadmus/model/equal'
import { messages } from '@cadmus/model/messages'
import { visibleText } from '@cadmus/model/display'

type Place = { path: string; field: string; mine?: unknown; theirs?: unknown }

const listed = 20

const rows = { typeAttribute: 'Attribute', entityAttribute: 'Relationship' } as const
const items = { typeAttributes: 'attribute', entityAttributes: 'relationship' } as const

/** Names the place of a conflict in the page's terms, e.g. 'Attribute status: max length'. */
export function conflictWords(place: Place): string {
  const { path, field } = place
  const [list = '', ...name] = path.split('.')
  const what = list === 'typeAttributes' || list === 'entityAttributes' ? items[list] : null
  if (field === 'order') return what === null ? 'Order' : `Order of the ${what}s`
  if (what === null) return capital(spelled(field))
  const item = `${capital(what)} ${visibleText(name.join('.'))}`
  if (isNameConflict(place)) return `${item}: two with this name`
  return field === 'deleted' ? `${item}: deleted or changed` : `${item}: ${spelled(field)}`
}

/** Names a place in an entity for use in a sentence, e.g. 'Attribute status, max length'. */
export function placeWords({ kind, name, field }: { kind: keyof typeof rows; name: string; field: string }): string {
  const item = `${rows[kind]} ${name === '' ? 'without a name' : visibleText(name)}`
  return field === '' ? item : `${item}, ${spelled(field)}`
}

/** Lists the first names and the number of others. */
export function listedNames(names: readonly string[]): string {
  const rest = names.length - listed
  return rest > 1 ? `${names.slice(0, listed).join(', ')} ${messages.referring.more(rest)}` : names.join(', ')
}

/** Describes the effect on the item that is not kept when two have the same name. */
export function conflictNote(conflicts: readonly Place[]): string | undefined {
  if (!conflicts.some(isNameConflict)) return undefined
  return 'Only one of two items with the same name is kept. The other one is removed, or gets its former name back if it was renamed.'
}

export function conflictValue(place: Place, value: unknown): string {
  const { field } = place
  if (isNameConflict(place) && isRecord(value))
    return differences(value, value === place.mine ? place.theirs : place.mine)
  if (field === 'deleted') return value === null || value === undefined ? 'deleted' : 'changed'
  if (value === undefined || value === null || value === '') return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value))
    return value.length === 0 ? 'nothing' : value.map(one => conflictValue({ path: '', field }, one)).join(', ')
  if (typeof value === 'object') return nameOf(value) ?? visibleText(JSON.stringify(value))
  return visibleText(String(value), { lines: true })
}

/** Both sides added different items with the same name. */
function isNameConflict({ field, mine, theirs }: Place): boolean {
  return field === 'name' && isRecord(mine) && isRecord(theirs)
}

/** Lists the properties in which two items differ. */
function differences(item: Readonly<Record<string, unknown>>, other: unknown): string {
  if (!isRecord(other) || isRelationship(item) !== isRelationship(other))
    return isRelationship(item) ? 'a relationship' : 'an attribute'
  const differing = Object.keys(item).filter(key => !hiddenProperties.has(key) && !isEqual(item[key], other[key]))
  const fields = differing.map(field => `${spelled(field)}: ${conflictValue({ path: '', field }, item[field])}`)
  return fields.length > 0 ? fields.join(', ') : 'otherwise the same'
}

function isRelationship(item: object): boolean {
  return 'foreignKeyTypeAttribute' in item
}

/** Internal properties that are not shown. */
const hiddenProperties = new Set([
  'uid',
  'position',
  'name',
  'traits',
  'copiedFrom',
  'associatedEntityTypeAttributeUid',
])

function nameOf(value: object): string | null {
  return 'name' in value && typeof value.name === 'string' ? visibleText(value.name) : null
}

/** Converts a property name to words: `maxLength` to max length, `isNullable` to nullable. */
function spelled(field: string): string {
  return field
    .replace(/^is(?=[A-Z])/, '')
    .replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
    .trim()
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

/** Data types of a new attribute, also found by their formats, which are selected later. */
export const dataTypeOptions = dataTypes.map(type => ({ value: type, label: type, words: formatWords(type) }))
export const formatHint = 'Decimal, date, guid, json and others are formats: set Format in the properties afterwards.'
