import { visibleText } from '@cadmus/model/visible-text'

type Place = { path: string; field: string }

const items = { typeAttributes: 'attribute', entityAttributes: 'relationship' } as const

/** What two people changed, in the words of the page: 'Attribute status: max length', not the names that calls have for it. */
export function conflictWords({ path, field }: Place): string {
  const [list = '', ...name] = path.split('.')
  const what = list === 'typeAttributes' || list === 'entityAttributes' ? items[list] : null
  if (field === 'order') return what === null ? 'Order' : `Order of the ${what}s`
  if (what === null) return capital(spelled(field))
  const item = `${capital(what)} ${visibleText(name.join('.'))}`
  return field === 'deleted' ? `${item}: deleted or changed` : `${item}: ${spelled(field)}`
}

/** One side's value of it. */
export function conflictValue({ field }: Place, value: unknown): string {
  if (field === 'deleted') return value === null || value === undefined ? 'deleted' : 'changed'
  if (value === undefined || value === null || value === '') return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value))
    return value.length === 0 ? 'nothing' : value.map(one => conflictValue({ path: '', field }, one)).join(', ')
  if (typeof value === 'object') return nameOf(value) ?? visibleText(JSON.stringify(value))
  return visibleText(String(value), { lines: true })
}

function nameOf(value: object): string | null {
  return 'name' in value && typeof value.name === 'string' ? visibleText(value.name) : null
}

/** `maxLength` reads as max length; what begins with a question as is: `isNullable` as nullable. */
function spelled(field: string): string {
  return field
    .replace(/^is(?=[A-Z])/, '')
    .replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
    .trim()
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}
