import { apiNames } from '@cadmus/formats/api-names'
import { apiOperations } from '@cadmus/formats/api-operations'
import { servedFields } from '@cadmus/formats/served-fields'
import { targetNamespace } from '@cadmus/formats/wsdl/schema'
import { xmlText, type XmlElement } from '@cadmus/formats/xml'
import type { Api, ApiEntity, ApiField } from '@cadmus/model/api/api'
import type { Listing, Operation, WireKey, WireValue } from '@cadmus/model/api/operation'

// For tests: converts operations to SOAP messages.

/** The message element for an operation; null if SOAP or XML cannot express it. */
export function toSoap(api: Api, operation: Operation): string | null {
  const described = apiOperations(api).find(
    one =>
      one.entity.name === operation.entity &&
      one.kind === operation.kind &&
      one.kind !== 'related' &&
      one.kind !== 'aggregate',
  )
  if (!described) return null
  const content = contentOf(api, described.entity, operation)
  if (content === null || !isExpressible(content)) return null
  return `<${described.name} xmlns="${xmlText(targetNamespace(api.namespace))}">${content}</${described.name}>`
}

function contentOf(api: Api, entity: ApiEntity, operation: Operation): string | null {
  const { key } = entity
  const elements = (values: WireKey) => key.map((field, at) => element(api, entity, field, values[at] ?? null)).join('')
  switch (operation.kind) {
    case 'selectAll': {
      const fieldList = fieldsOf(api, entity, operation)
      return fieldList === null ? null : `${listing(api, entity, operation)}${fieldList}`
    }
    case 'select': {
      const fieldList = fieldsOf(api, entity, operation)
      return fieldList === null || key.length === 0 ? null : `${elements(operation.key)}${fieldList}`
    }
    case 'delete':
      return key.length === 0 ? null : elements(operation.key)
    case 'insert':
    case 'update': {
      const fields = servedFields(api, entity)
      const parts = Object.entries(operation.record).map(([name, value]) => {
        const field = fields.find(one => one.name === name)
        return field ? element(api, entity, field, value) : inexpressible
      })
      return `<record>${parts.join('')}</record>`
    }
    default:
      return null
  }
}

/** Not allowed in XML, so it marks values that cannot be expressed. */
const inexpressible = '\u0000'

function isExpressible(text: string): boolean {
  return /^[\t\n\r\u0020-\uD7FF\uE000-\uFFFC\u{10000}-\u{10FFFF}]*$/u.test(text)
}

function fieldsOf(
  api: Api,
  entity: ApiEntity,
  { select }: Operation & { kind: 'select' | 'selectAll' },
): string | null {
  if (select.fields === null || select.fields.length === 0 || select.relations.length > 0) return null
  return select.fields.map(name => `<fields>${memberOf(api, entity, name)}</fields>`).join('')
}

function listing(api: Api, entity: ApiEntity, { filters, search, sort, limit, offset }: Listing): string {
  const paging = api.options.limitOffset
    ? `${limit === null ? '' : `<limit>${limit}</limit>`}${offset === 0 ? '' : `<offset>${offset}</offset>`}`
    : ''
  const sorted = sort.map(
    ({ field, descending }) =>
      `<sort><field>${memberOf(api, entity, field)}</field><descending>${descending}</descending></sort>`,
  )
  const filtered = filters.map(({ field, comparison, value }) => {
    const values = Array.isArray(value) ? value : [value]
    const texts = values.map(one => `<value>${typeof one === 'object' ? inexpressible : raw(String(one))}</value>`)
    return `<filter><field>${memberOf(api, entity, field)}</field><comparison>${comparison}</comparison>${texts.join('')}</filter>`
  })
  return `${paging}<search>${raw(search)}</search>${sorted.join('')}${filtered.join('')}`
}

function element(api: Api, entity: ApiEntity, field: ApiField, value: WireValue): string {
  const member = memberOf(api, entity, field.name)
  if (value === null) return `<${member} xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="1"/>`
  if (field.type.kind === 'json') return `<${member}>${raw(JSON.stringify(value))}</${member}>`
  return typeof value === 'object' ? inexpressible : `<${member}>${raw(String(value))}</${member}>`
}

function raw(text: string): string {
  return isExpressible(text) && text.isWellFormed() ? xmlText(text) : inexpressible
}

function memberOf(api: Api, { name }: ApiEntity, field: string): string {
  return apiNames(api).get(name)?.members.get(field) ?? xmlText(field)
}

/** The difference between a record of an answer and the expected one; '' if equal. */
export function differenceInSoap(
  api: Api,
  entity: ApiEntity,
  received: XmlElement,
  record: Readonly<Record<string, unknown>>,
): string {
  const fields = servedFields(api, entity).filter(({ name }) => name in record)
  if (fields.length !== received.children.length)
    return `${received.children.length} elements instead of ${fields.length}`
  for (const field of fields) {
    const match = received.children.find(({ name }) => name === memberOf(api, entity, field.name))
    const value = record[field.name]
    const isNil = match?.attributes.size === 1
    const text = match?.text ?? ''
    const isSame =
      value === null
        ? isNil
        : field.type.kind === 'json'
          ? text === xmlSafe(JSON.stringify(value))
          : text === xmlSafe(String(value))
    if (!match || !isSame) return `${field.name}: ${JSON.stringify(text)} instead of ${JSON.stringify(value)}`
  }
  return ''
}

/** Replaces characters that XML cannot contain. */
export function xmlSafe(text: string): string {
  return text.toWellFormed().replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
}
