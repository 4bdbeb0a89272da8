import type { Api, ApiEntity } from '@cadmus/model/api/api'
import type { OperationResult, WireRecord, WireValue } from '@cadmus/model/api/operation'
import { isRecord } from '@cadmus/model/equal'
import { joined, listed, type TextPieces } from '@cadmus/model/text-pieces'
import { aggregateField, servedFields } from '@cadmus/formats/served-fields'
import { aggregateMembers, apiNames, plainName } from '@cadmus/formats/api-names'
import type { DescribedOperation } from '@cadmus/formats/api-operations'
import { targetNamespace } from '@cadmus/formats/wsdl/schema'
import { xmlText } from '@cadmus/formats/xml'
import { notFound } from '../../http-error.ts'
import { elementOf } from './requests.ts'

/** The result of an operation as its response element. Throws an `HttpError` 404 if a to-one relation is empty. */
export function answerText(api: Api, described: DescribedOperation, result: OperationResult): TextPieces {
  const before = `<${described.name}Response xmlns="${xmlText(targetNamespace(api.namespace))}">`
  return joined(before, contentOf(api, described, result), `</${described.name}Response>`)
}

function contentOf(api: Api, described: DescribedOperation, result: OperationResult): TextPieces {
  if (described.kind === 'delete' || result.kind === 'done') return ''
  const write = writerOf(api, described)
  if (result.kind === 'record') return joined('<record>', write(result.record), '</record>')
  if (described.kind === 'related' && described.relation.kind === 'toOne') {
    const [record] = result.records
    if (!record) throw notFound(`A record of ${described.other.name}`)
    return joined('<record>', write(record), '</record>')
  }
  const { total, totalNotFiltered, records } = result
  const counts = `<total>${total}</total><totalNotFiltered>${totalNotFiltered}</totalNotFiltered>`
  return joined(
    counts,
    listed(records, record => joined('<record>', write(record), '</record>')),
  )
}

function writerOf(api: Api, described: DescribedOperation): (record: WireRecord) => TextPieces {
  if (described.kind === 'aggregate') return record => aggregateContent(described, record)
  const entity = described.kind === 'related' ? described.other : described.entity
  return record => recordContent(api, entity, record)
}

function recordContent(api: Api, entity: ApiEntity, record: WireRecord): TextPieces {
  const parts: TextPieces[] = []
  for (const { name, write } of membersOf(api, entity)) {
    const value = record[name]
    if (value !== undefined) parts.push(write(value))
  }
  return joined(...parts)
}

type Member = { readonly name: string; readonly write: (value: WireValue) => TextPieces }

const membersByEntity = new WeakMap<ApiEntity, readonly Member[]>()

/** The fields in order, then the relations. */
function membersOf(api: Api, entity: ApiEntity): readonly Member[] {
  const cached = membersByEntity.get(entity)
  if (cached) return cached
  const members = apiNames(api).get(entity.name)?.members
  const memberOf = (name: string) => members?.get(name) ?? plainName(name)
  const fields = servedFields(api, entity).map((field): Member => {
    const member = memberOf(field.name)
    return { name: field.name, write: value => elementOf(member, value, field) }
  })
  const relations = entity.relations.flatMap(({ name, entity: otherName }): Member[] => {
    const other = api.entities.find(one => one.name === otherName)
    const member = memberOf(name)
    return other ? [{ name, write: value => relatedContent(api, other, member, value) }] : []
  })
  const made = [...fields, ...relations]
  membersByEntity.set(entity, made)
  return made
}

function relatedContent(api: Api, other: ApiEntity, member: string, value: WireValue): TextPieces {
  if (Array.isArray(value)) return listed(value, one => relatedContent(api, other, member, one))
  if (!isWireRecord(value)) return `<${member} xsi:nil="true"/>`
  return joined(`<${member}>`, recordContent(api, other, value), `</${member}>`)
}

function isWireRecord(value: WireValue): value is WireRecord {
  return isRecord(value)
}

function aggregateContent(
  { entity, aggregate }: DescribedOperation & { kind: 'aggregate' },
  record: WireRecord,
): TextPieces {
  const members = aggregateMembers(aggregate.columns.map(({ alias }) => alias))
  const parts = aggregate.columns.map(column => {
    const field = aggregateField(entity, column)
    const member = members.get(column.alias) ?? column.alias
    return field ? elementOf(member, record[column.alias] ?? null, field) : ''
  })
  return joined(...parts)
}
