import type { Api, ApiEntity, ApiEnumeration, ApiField, ApiFieldType } from '@cadmus/model/api/api'
import { comparisons } from '@cadmus/model/api/operation'
import { type Bounds, boundsOf } from '@cadmus/model/conditions/bounds'
import { limits } from '@cadmus/model/limits'
import {
  aggregateMembers,
  apiNames,
  type EntityNames,
  plainName,
  keyElementNames,
  listElementNames,
  namedEnumerations,
} from '../api-names.ts'
import type { DescribedOperation } from '../api-operations.ts'
import {
  aggregateField,
  computedSentence,
  describedEntity,
  isKeyOf,
  isRequired,
  servedFields,
  servedRelations,
} from '../served-fields.ts'
import { xmlText } from '../xml.ts'

/** XML Schema of the messages: an element for each request and response, and a type for each kind of record. */
export function schemaLines(api: Api, operations: readonly DescribedOperation[]): string[] {
  const names = apiNames(api)
  const records = api.entities.flatMap(entity => {
    const own = names.get(entity.name)
    return own ? recordTypes(api, entity, own, names) : []
  })
  const enumerations = [...namedEnumerations(api)].flatMap(([enumeration, name]) => simpleType(name, enumeration))
  return [
    `<xsd:schema targetNamespace="${xmlText(targetNamespace(api.namespace))}" elementFormDefault="qualified">`,
    ...[
      ...sharedTypes,
      ...enumerations,
      ...records,
      ...operations.flatMap(one => messageElements(api, one, names)),
    ].map(line => `  ${line}`),
    '</xsd:schema>',
  ]
}

/** The fields whose values another record has. */
const field = element('field', 'xsd:string', { optional: true, many: true })

const sharedTypes = [
  ...complexType('Filter', [
    element('field', 'xsd:string'),
    '<xsd:element name="comparison" default="eq">',
    '  <xsd:simpleType>',
    '    <xsd:restriction base="xsd:string">',
    ...comparisons.map(comparison => `      <xsd:enumeration value="${comparison}"/>`),
    '    </xsd:restriction>',
    '  </xsd:simpleType>',
    '</xsd:element>',
    element('value', 'xsd:string', { many: true }),
  ]),
  ...complexType('Sort', [element('field', 'xsd:string'), element('descending', 'xsd:boolean', { optional: true })]),
  ...elementOf('Error', [element('kind', 'xsd:string'), element('message', 'xsd:string'), field]),
]

/** One type for reading, with optional fields because requests may select them, and one for writing. */
function recordTypes(api: Api, entity: ApiEntity, names: EntityNames, all: ReadonlyMap<string, EntityNames>): string[] {
  const { type } = names
  const { insert, update } = entity.operations
  const fields = servedFields(api, entity)
  const read = fields.map(field => fieldElement(api, field, names, { optional: true }))
  const joined = servedRelations(api, entity).flatMap(({ name, kind, entity: otherName }) => {
    const other = all.get(otherName)
    if (!other) return []
    const many = kind === 'toMany'
    return [element(memberOf(names, name), `tns:${other.type}`, { optional: true, many, nillable: !many })]
  })
  const isKey = (field: ApiField) => isKeyOf(entity, field)
  const inserted = fields.filter(({ generated }) => !generated)
  const updated = fields.filter(field => !field.generated || isKey(field))
  const bounds = boundsOf(entity.checks.map(({ condition }) => condition))
  return [
    ...complexType(type, [...read, ...joined], describedEntity(entity)),
    ...(insert
      ? complexType(
          `${type}Insert`,
          inserted.map(field =>
            fieldElement(api, field, names, {
              optional: !isRequired(field),
              description: computedSentence(field),
              bounds: bounds.get(field.name),
            }),
          ),
        )
      : []),
    ...(update
      ? complexType(
          `${type}Update`,
          updated.map(field =>
            fieldElement(api, field, names, { optional: !isKey(field), bounds: bounds.get(field.name) }),
          ),
        )
      : []),
  ]
}

function messageElements(api: Api, operation: DescribedOperation, all: ReadonlyMap<string, EntityNames>): string[] {
  const { name } = operation
  return [
    ...elementOf(name, requestElements(api, operation)),
    ...elementOf(`${name}Response`, answerElements(api, operation, all)),
  ]
}

function requestElements(api: Api, operation: DescribedOperation): string[] {
  const { entity, names, kind } = operation
  switch (kind) {
    case 'selectAll':
      return listElements(api)
    case 'select':
      return [...keyElements(api, entity, names, ['fields']), fieldsElement]
    case 'delete':
      return keyElements(api, entity, names, [])
    case 'insert':
      return [element('record', `tns:${names.type}Insert`)]
    case 'update':
      return [element('record', `tns:${names.type}Update`)]
    case 'aggregate':
      return [filterElement]
    case 'related':
      return operation.relation.kind === 'toMany'
        ? [...keyElements(api, entity, names, listElementNames(api)), ...listElements(api)]
        : [...keyElements(api, entity, names, ['fields']), fieldsElement]
  }
}

function answerElements(api: Api, operation: DescribedOperation, all: ReadonlyMap<string, EntityNames>): string[] {
  const { names, kind, entity } = operation
  if (kind === 'delete') return []
  if (kind === 'aggregate') return listAnswer(aggregateType(api, entity, operation.aggregate.columns))
  if (kind === 'selectAll') return listAnswer([element('record', `tns:${names.type}`, { many: true })])
  // A record created without a key cannot be read back.
  if (kind !== 'related') return [element('record', `tns:${names.type}`, { optional: entity.key.length === 0 })]
  const type = all.get(operation.other.name)?.type ?? ''
  if (operation.relation.kind === 'toMany') return listAnswer([element('record', `tns:${type}`, { many: true })])
  return [element('record', `tns:${type}`)]
}

function aggregateType(
  api: Api,
  entity: ApiEntity,
  columns: (DescribedOperation & { kind: 'aggregate' })['aggregate']['columns'],
): string[] {
  const members = aggregateMembers(columns.map(({ alias }) => alias))
  const elements = columns.flatMap(column => {
    const field = aggregateField(entity, column)
    return field
      ? [element(members.get(column.alias) ?? column.alias, typeName(api, field), { nillable: field.nullable })]
      : []
  })
  return elementOf('record', elements, ' minOccurs="0" maxOccurs="unbounded"')
}

function listAnswer(records: readonly string[]): string[] {
  return [element('total', 'xsd:long'), element('totalNotFiltered', 'xsd:long'), ...records]
}

const fieldsElement = element('fields', 'xsd:string', { many: true })
const filterElement = element('filter', 'tns:Filter', { many: true })

const limitElement = [
  '<xsd:element name="limit" minOccurs="0">',
  '  <xsd:simpleType>',
  '    <xsd:restriction base="xsd:int">',
  `      <xsd:minInclusive value="${limits.rows.minPageSize}"/>`,
  `      <xsd:maxInclusive value="${limits.rows.maxPageSize}"/>`,
  '    </xsd:restriction>',
  '  </xsd:simpleType>',
  '</xsd:element>',
]

function listElements({ options }: Api): string[] {
  return [
    ...(options.limitOffset ? [...limitElement, element('offset', 'xsd:long', { optional: true })] : []),
    element('search', 'xsd:string', { optional: true }),
    element('sort', 'tns:Sort', { many: true }),
    fieldsElement,
    filterElement,
  ]
}

function keyElements(api: Api, entity: ApiEntity, names: EntityNames, others: readonly string[]): string[] {
  const elements = keyElementNames(entity, names, others)
  return entity.key.map((field, at) => element(elements[at] ?? '', typeName(api, field), {}))
}

type Occurrence = {
  optional?: boolean
  many?: boolean
  nillable?: boolean
  description?: string
  bounds?: Bounds | undefined
}

function fieldElement(api: Api, field: ApiField, names: EntityNames, occurrence: Occurrence): string {
  return element(memberOf(names, field.name), typeName(api, field), { ...occurrence, nillable: field.nullable })
}

function typeName(api: Api, { type, enumeration }: ApiField): string {
  const name = enumeration && namedEnumerations(api).get(enumeration)
  return name ? `tns:${name}` : `xsd:${xsdTypeOf(type)}`
}

function memberOf(names: EntityNames, name: string): string {
  return names.members.get(name) ?? plainName(name)
}

function element(
  name: string,
  type: string,
  { optional = false, many = false, nillable = false, description = '', bounds }: Occurrence = {},
): string {
  const least = optional || many ? ' minOccurs="0"' : ''
  const facets = bounds ? facetsOf(bounds) : ''
  const typed = facets === '' ? ` type="${type}"` : ''
  const start = `<xsd:element name="${name}"${typed}${least}${many ? ' maxOccurs="unbounded"' : ''}${nillable ? ' nillable="true"' : ''}`
  const inner = [
    ...(description === '' ? [] : [annotation(description)]),
    ...(facets === ''
      ? []
      : [`<xsd:simpleType><xsd:restriction base="${type}">${facets}</xsd:restriction></xsd:simpleType>`]),
  ]
  return inner.length === 0 ? `${start}/>` : `${start}>${inner.join('')}</xsd:element>`
}

function facetsOf({ least, largest }: Bounds): string {
  const facet = (kind: 'min' | 'max', bound: Bounds['least']) =>
    bound ? `<xsd:${kind}${bound.isExclusive ? 'Exclusive' : 'Inclusive'} value="${bound.value}"/>` : ''
  return `${facet('min', least)}${facet('max', largest)}`
}

function annotation(description: string): string {
  return `<xsd:annotation><xsd:documentation>${xmlText(description)}</xsd:documentation></xsd:annotation>`
}

function simpleType(name: string, { description, values }: ApiEnumeration): string[] {
  return [
    `<xsd:simpleType name="${name}">`,
    ...(description === '' ? [] : [`  ${annotation(description)}`]),
    '  <xsd:restriction base="xsd:string">',
    ...values.map(({ value, label }) => {
      const start = `    <xsd:enumeration value="${xmlText(value)}"`
      return label === '' ? `${start}/>` : `${start}>${annotation(label)}</xsd:enumeration>`
    }),
    '  </xsd:restriction>',
    '</xsd:simpleType>',
  ]
}

function complexType(name: string, elements: readonly string[], description = ''): string[] {
  return [
    `<xsd:complexType name="${name}">`,
    ...(description === '' ? [] : [`  ${annotation(description)}`]),
    '  <xsd:sequence>',
    ...elements.map(line => `    ${line}`),
    '  </xsd:sequence>',
    '</xsd:complexType>',
  ]
}

function elementOf(name: string, elements: readonly string[], occurs = ''): string[] {
  return [
    `<xsd:element name="${name}"${occurs}>`,
    '  <xsd:complexType>',
    '    <xsd:sequence>',
    ...elements.map(line => `      ${line}`),
    '    </xsd:sequence>',
    '  </xsd:complexType>',
    '</xsd:element>',
  ]
}

const names: Readonly<Record<Exclude<ApiFieldType['kind'], 'integer'>, string>> = {
  text: 'string',
  guid: 'string',
  double: 'double',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  timestamp: 'dateTime',
  instant: 'dateTime',
  local: 'dateTime',
  // JSON values are sent as text.
  json: 'string',
  binary: 'base64Binary',
  decimal: 'decimal',
}

/** XML Schema type of a field, without prefix. */
function xsdTypeOf(type: ApiFieldType): string {
  if (type.kind === 'decimal' && type.isWhole) return 'integer'
  if (type.kind === 'double' && type.isSingle) return 'float'
  if (type.kind !== 'integer') return names[type.kind]
  if (type.digits !== undefined) return 'integer'
  if (type.bits === 64) return 'long'
  return type.bits === 32 ? 'int' : 'short'
}

export function targetNamespace(namespace: string): string {
  return `urn:cadmus:${namespace}:1.0`
}
