import { apiNames, keyElementNames, listElementNames } from '@cadmus/formats/api-names'
import type { DescribedOperation } from '@cadmus/formats/api-operations'
import { servedFields } from '@cadmus/formats/served-fields'
import { type XmlElement, xmlText } from '@cadmus/formats/xml'
import type { Api, ApiEntity, ApiField } from '@cadmus/model/api/api'
import {
  type Comparison,
  comparisons,
  type Filter,
  type Listing,
  type Operation,
  type WireKey,
  type WireRecord,
  type WireValue,
} from '@cadmus/model/api/operation'
import { joined, slicesOf, type TextPieces } from '@cadmus/model/text-pieces'
import type { Admitted } from '../../auth/admitted.ts'
import { HttpError } from '../../http-error.ts'
import { apiNamesOf } from '../graphql/listing.ts'
import { readJson, valueOfText, wireValue } from '../rest/body.ts'
import { type RestEntity, type RestSurface, selectionFor } from '../rest/surface.ts'
import { SoapFault } from './envelope.ts'

/** Converts a message to an operation. Throws a `SoapFault` for unknown elements. */
export function operationOf(
  surface: RestSurface,
  described: DescribedOperation,
  message: XmlElement,
  caller: Admitted,
): Operation {
  const reader = new Reader(surface, described, message)
  const { entity } = described
  const { name } = entity
  switch (described.kind) {
    case 'selectAll':
      return { kind: 'selectAll', entity: name, ...reader.list(entity, caller) }
    case 'select':
      return { kind: 'select', entity: name, key: reader.key(), select: reader.selection(entity, true, caller) }
    case 'delete':
      return { kind: 'delete', entity: name, key: reader.key() }
    case 'insert':
    case 'update':
      return { kind: described.kind, entity: name, record: reader.record() }
    case 'aggregate':
      return { kind: 'aggregate', entity: name, query: described.aggregate.name, filters: reader.filters(entity) }
    case 'related': {
      const { other, relation } = described
      const relate = { kind: 'related', entity: name, key: reader.key(), relation: relation.name } as const
      if (relation.kind === 'toMany') return { ...relate, ...reader.list(other, caller) }
      return { ...relate, select: reader.selection(other, false, caller), ...noListing }
    }
  }
}

const noListing: Listing = { filters: [], search: '', sort: [], limit: null, offset: 0 }

class Reader {
  readonly #surface: RestSurface
  readonly #described: DescribedOperation
  readonly #parts: ReadonlyMap<string, readonly XmlElement[]>
  /** In key order. */
  readonly #keyNames: readonly string[]

  constructor(surface: RestSurface, described: DescribedOperation, message: XmlElement) {
    this.#surface = surface
    this.#described = described
    this.#parts = partsOf(message)
    this.#keyNames = keyElementNames(described.entity, described.names, otherNames(described, surface.api))
    const allowed = partNames(described, surface.api, this.#keyNames)
    for (const [name, parts] of this.#parts) {
      if (!allowed.includes(name))
        throw new SoapFault('sender', `${described.name} does not accept ${name.slice(0, 100)}.`)
      if (parts.length > 1 && !repeatable.includes(name)) throw repeatedElement(name)
    }
  }

  key(): WireKey {
    return this.#described.entity.key.map((field, at) => {
      const member = this.#keyNames[at] ?? ''
      const [element] = this.#parts.get(member) ?? []
      if (!element) throw new SoapFault('sender', `${this.#described.name} requires ${member}.`)
      return valueOfElement(element, field)
    })
  }

  record(): WireRecord {
    const [element] = this.#parts.get('record') ?? []
    if (!element) throw new SoapFault('sender', `${this.#described.name} requires a record.`)
    const { entity, names } = this.#described
    const fields = new Map(servedFields(this.#surface.api, entity).map(field => [field.name, field]))
    const apiName = apiNamesOf(names)
    const record: Record<string, WireValue> = Object.create(null)
    for (const [member, parts] of partsOf(element)) {
      const name = apiName.get(member) ?? member
      const field = fields.get(name)
      const [part] = parts
      if (!field || !part) throw new SoapFault('sender', `There is no field "${member.slice(0, 100)}".`)
      if (parts.length > 1) throw repeatedElement(member)
      record[name] = valueOfElement(part, field)
    }
    return record
  }

  list(entity: ApiEntity, caller: Admitted): Listing & Pick<Operation & { kind: 'selectAll' }, 'select'> {
    return {
      filters: this.filters(entity),
      search: this.#text('search') ?? '',
      sort: (this.#parts.get('sort') ?? []).map(part => this.#sorting(entity, part)),
      limit: this.#number('limit'),
      offset: this.#number('offset') ?? 0,
      select: this.selection(entity, false, caller),
    }
  }

  filters(entity: ApiEntity): Filter[] {
    return (this.#parts.get('filter') ?? []).map(part => {
      const parts = partsOf(part)
      const field = this.#field(entity, textIn(parts, 'field') ?? '')
      const comparison = comparisonOf(textIn(parts, 'comparison') ?? 'eq')
      return { field, comparison, value: this.#compared(entity, field, comparison, parts.get('value') ?? []) }
    })
  }

  selection(entity: ApiEntity, isSingle: boolean, caller: Admitted) {
    const served = this.#served(entity)
    const fields = this.#parts.get('fields')?.map(({ text }) => this.#field(entity, text.trim())) ?? null
    return selectionFor(this.#surface, served, isSingle ? served.single : served.listed, fields, caller)
  }

  #compared(entity: ApiEntity, name: string, comparison: Comparison, values: readonly XmlElement[]): WireValue {
    const field: ApiField | undefined = this.#served(entity).fields.get(name)
    const texts = values.map(({ text }) => (field?.type.kind === 'text' ? text : text.trim()))
    if (comparison === 'in') return texts.map(text => valueOfText(text, field))
    if (texts.length > 1) throw repeatedElement('value')
    const [text = ''] = texts
    if (comparison === 'null') return booleans.get(text) ?? text
    return comparison === 'like' ? text : valueOfText(text, field)
  }

  #sorting(entity: ApiEntity, part: XmlElement): Listing['sort'][number] {
    const parts = partsOf(part)
    const descending = textIn(parts, 'descending')?.trim()
    return {
      field: this.#field(entity, textIn(parts, 'field') ?? ''),
      descending: descending === 'true' || descending === '1',
    }
  }

  /** Accepts element names and API names. */
  #field(entity: ApiEntity, name: string): string {
    const names = apiNames(this.#surface.api).get(entity.name)
    return (names && apiNamesOf(names).get(name.trim())) ?? name
  }

  #served({ name }: ApiEntity): RestEntity {
    const served = this.#surface.byName.get(name)
    if (!served) throw new RangeError(`The API has no entity '${name.slice(0, 100)}'.`)
    return served
  }

  #text(name: string): string | undefined {
    return textIn(this.#parts, name)
  }

  #number(name: string): number | null {
    const text = this.#text(name)?.trim()
    if (text === undefined) return null
    // Invalid counts become NaN, which the engine refuses with the message for its range.
    return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  }
}

/** The lexical forms of xsd:boolean. */
const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

const repeatable = ['sort', 'fields', 'filter']

/** The elements of a request beside its key. */
function otherNames(described: DescribedOperation, api: Api): readonly string[] {
  const { kind } = described
  if (kind === 'selectAll') return listElementNames(api)
  if (kind === 'select') return ['fields']
  if (kind !== 'related') return []
  return described.relation.kind === 'toMany' ? listElementNames(api) : ['fields']
}

function partNames(described: DescribedOperation, api: Api, key: readonly string[]): readonly string[] {
  switch (described.kind) {
    case 'selectAll':
      return otherNames(described, api)
    case 'select':
    case 'related':
    case 'delete':
      return [...key, ...otherNames(described, api)]
    case 'insert':
    case 'update':
      return ['record']
    case 'aggregate':
      return ['filter']
  }
}

function partsOf({ children }: XmlElement): ReadonlyMap<string, readonly XmlElement[]> {
  const parts = new Map<string, XmlElement[]>()
  for (const child of children) {
    const siblings = parts.get(child.name)
    if (siblings) siblings.push(child)
    else parts.set(child.name, [child])
  }
  return parts
}

function textIn(parts: ReadonlyMap<string, readonly XmlElement[]>, name: string): string | undefined {
  return parts.get(name)?.[0]?.text
}

function comparisonOf(name: string): Comparison {
  const match = comparisons.find(comparison => comparison === name.trim())
  if (!match) throw new SoapFault('sender', `There is no comparison "${name.slice(0, 100)}".`)
  return match
}

function repeatedElement(name: string): SoapFault {
  return new SoapFault('sender', `${name.slice(0, 100)} occurs more than once.`)
}

const nilName = '{http://www.w3.org/2001/XMLSchema-instance}nil'

/** Converts an element to the JSON value of its field, which the engine validates. Throws a `SoapFault`. */
function valueOfElement(element: XmlElement, field: ApiField): WireValue {
  const nil = element.attributes.get(nilName)?.trim()
  if (nil === 'true' || nil === '1') return null
  if (element.children.length > 0) throw new SoapFault('sender', `${field.name}: this must be a value.`)
  const { text } = element
  switch (field.type.kind) {
    case 'text':
      return text
    case 'json':
      return jsonValue(text, field)
    case 'boolean': {
      const word = text.trim()
      return word === '1' ? true : word === '0' ? false : valueOfText(word, field)
    }
    case 'binary':
      return text.replace(/[ \t\r\n]+/g, '')
    default:
      return valueOfText(text.trim(), field)
  }
}

function jsonValue(text: string, field: ApiField): WireValue {
  try {
    return wireValue(readJson(text))
  } catch (error) {
    if (error instanceof HttpError) throw new SoapFault('sender', `${field.name}: this must be a JSON text.`)
    throw error
  }
}

/** Characters of a string that are escaped at once. */
const sliceLength = 64 * 1024

export function elementOf(name: string, value: WireValue, field: ApiField): TextPieces {
  if (value === null) return `<${name} xsi:nil="true"/>`
  const text = field.type.kind === 'json' ? JSON.stringify(value) : String(value)
  if (text.length <= sliceLength) return `<${name}>${xmlText(text)}</${name}>`
  return joined(`<${name}>`, slicesOf(text, sliceLength).map(xmlText), `</${name}>`)
}
