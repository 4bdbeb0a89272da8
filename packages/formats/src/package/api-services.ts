import type { ApiEntity, ApiField, ApiRelation } from '@cadmus/model/api/api'
import { plainName } from '../api-names.ts'
import { apiOperations, type DescribedOperation, operationsOn } from '../api-operations.ts'
import type { JsonTree } from '../json-tree.ts'
import { entityOf, servedRelations } from '../served-fields.ts'
import {
  fieldProperty,
  fork,
  gloopText,
  invokeGloop,
  leaveService,
  line,
  map,
  modelProperty,
  type Place,
  property,
  setLine,
  tryCatch,
} from './gloop.ts'
import { folderOf, fieldByKey, keyMembers, memberOf, type PackageParts } from './package-parts.ts'
import { sqlServiceName } from './sql-services.ts'

/** The services that the API calls, by path below the namespace. */
export function apiServices(parts: PackageParts): [path: string, text: string][] {
  return apiOperations(parts.api).flatMap((operation): [string, string][] => {
    const service = serviceOf(parts, operation)
    return service
      ? [[`services/${folderOf(parts.api, ownerOf(operation))}/${operation.name}.gloop`, gloopText(service)]]
      : []
  })
}

export function apiServiceName({ api }: PackageParts, operation: DescribedOperation): string {
  return `${api.namespace}.services.${folderOf(api, ownerOf(operation))}.${operation.name}`
}

/** Name of the property that holds the record in requests and responses. */
export function recordName(entity: ApiEntity): string {
  return plainName(entity.segment)
}

/** Whether the operation has its own service; a referenced record is returned with the record that refers to it. */
export function isService({ kind, ...rest }: DescribedOperation): boolean {
  return kind !== 'related' || ('relation' in rest && rest.relation.kind === 'toMany')
}

function ownerOf(operation: DescribedOperation): ApiEntity {
  return operation.kind === 'related' ? operation.other : operation.entity
}

function serviceOf(parts: PackageParts, operation: DescribedOperation): JsonTree | null {
  if (!isService(operation)) return null
  const { inputs, steps } = workOf(parts, operation)
  const caught = [map([setLine(['responseCode'], '500'), setLine(['APIException', 'message'], 'It failed.')])]
  return {
    ...(inputs.length === 0 ? {} : { input: inputs }),
    output: outputOf(parts, operation),
    steps: [tryCatch([...steps, map([setLine(['APIResponse', 'result'], 'OK')])], caught)],
  }
}

function outputOf(parts: PackageParts, operation: DescribedOperation): JsonTree[] {
  const owner = ownerOf(operation)
  const isList = operation.kind === 'selectAll' || operation.kind === 'aggregate' || operation.kind === 'related'
  const reference = operation.kind === 'aggregate' ? {} : { reference: parts.models.get(owner.name) }
  const record = property(recordName(owner), 'model', { ...reference, ...(isList ? { array: true } : {}) })
  const counts = isList ? [property('total', 'long'), property('totalNotFiltered', 'long')] : []
  const answer = operation.kind === 'delete' ? [] : [...counts, record]
  return [
    property('responseCode', 'integer', { defaultValue: '200' }),
    modelProperty('APIResponse', answer, { reference: 'io.toro.martini.api.APIResponse' }),
    property('APIException', 'model', { reference: 'io.toro.martini.api.APIException' }),
  ]
}

type Work = { inputs: JsonTree[]; steps: JsonTree[] }

function workOf(parts: PackageParts, operation: DescribedOperation): Work {
  const { entity } = operation
  switch (operation.kind) {
    case 'selectAll':
      return listWork(parts, operation)
    case 'aggregate':
      return { inputs: [], steps: [listed(parts, entity, operation.name, [], entity)] }
    case 'related':
      return relatedWork(parts, operation)
    case 'select':
      return readWork(parts, entity)
    case 'insert':
      return insertWork(parts, operation)
    case 'update':
      return updateWork(parts, operation)
    case 'delete':
      return deleteWork(parts, operation)
  }
}

function relatedWork(parts: PackageParts, operation: DescribedOperation & { kind: 'related' }): Work {
  const { entity, other, relation, name } = operation
  const byKey = fieldByKey(entity, relation)
  const list = (members: readonly string[], lines: readonly JsonTree[] = []) =>
    listed(parts, other, name, [...lines, ...listLines(parts, name, members)], other)
  if (byKey === null) {
    return {
      inputs: [...keyProperties(parts, entity), ...listInputs(parts)],
      steps: [existsStep(parts, entity, keyAt(parts, entity)), list([], foundLines(parts, operation))],
    }
  }
  const member = memberOf(parts.api, other, byKey)
  const field = other.fields.find(one => one.name === byKey)
  return {
    inputs: [...(field ? [fieldProperty(field, member)] : []), ...listInputs(parts)],
    steps: [existsStep(parts, entity, () => [member]), list([member])],
  }
}

/** Copies the values that related records have from the record that was found. */
function foundLines(
  { api }: PackageParts,
  { entity, other, relation, name }: DescribedOperation & { kind: 'related' },
): JsonTree[] {
  return relation.pairs.map(({ field, otherField }) =>
    line([foundVariable(entity), memberOf(api, entity, field)], [`${name}Input`, memberOf(api, other, otherField)]),
  )
}

function listWork(parts: PackageParts, { entity, name }: DescribedOperation): Work {
  const counted = name.replace(/^SelectAll/, 'SelectCountAll')
  const count = (service: string, to: string, searched: boolean) =>
    invokeGloop(sqlServiceName(parts, entity, service), {
      ...(searched ? { inputs: [searchLine(service)] } : {}),
      outputs: [line([`${service}Output`, 'count'], ['APIResponse', to])],
    })
  return {
    inputs: listInputs(parts),
    steps: [
      listed(parts, entity, name, listLines(parts, name, []), entity),
      count(counted, 'total', true),
      count(`${counted}NoFilter`, 'totalNotFiltered', false),
    ],
  }
}

function listInputs({ api }: PackageParts): JsonTree[] {
  const search = property('search')
  if (!api.options.limitOffset) return [search]
  return [
    property('limit', 'integer', { defaultValue: '20' }),
    property('offset', 'long', { defaultValue: '0' }),
    search,
  ]
}

function listLines({ api }: PackageParts, service: string, members: readonly string[]): JsonTree[] {
  const input = `${service}Input`
  const paging = [line(['limit'], [input, '$limit']), line(['offset'], [input, 'offset'])]
  return [
    ...members.map(member => line([member], [input, member])),
    ...(api.options.limitOffset ? paging : []),
    searchLine(service),
  ]
}

function searchLine(service: string): JsonTree {
  return setLine([`${service}Input`, 'search'], "search == null ? '%' : '%' + search + '%'", true)
}

function listed(
  parts: PackageParts,
  entity: ApiEntity,
  service: string,
  inputs: JsonTree[],
  answered: ApiEntity,
): JsonTree {
  return invokeGloop(sqlServiceName(parts, entity, service), {
    inputs,
    outputs: [line([`${service}InputCursor`], ['APIResponse', recordName(answered)])],
  })
}

function readWork(parts: PackageParts, entity: ApiEntity): Work {
  const at = keyAt(parts, entity)
  const joined = servedRelations(parts.api, entity).flatMap((relation): JsonTree[] => {
    if (relation.kind !== 'toMany') return []
    const operation = operationsOn(parts.api, entity).find(
      one => one.kind === 'related' && one.relation.name === relation.name,
    )
    if (operation?.kind !== 'related') return []
    const { other } = operation
    const byKey = fieldByKey(entity, relation)
    const to = ['APIResponse', recordName(entity), memberOf(parts.api, entity, relation.name)]
    const input = `${operation.name}Input`
    return [
      invokeGloop(sqlServiceName(parts, other, operation.name), {
        inputs: [
          ...(byKey === null
            ? foundLines(parts, operation)
            : [line(keyMembers(parts.api, entity), [input, memberOf(parts.api, other, byKey)])]),
          setLine([input, 'search'], '%'),
        ],
        outputs: [line([`${operation.name}InputCursor`], to)],
      }),
    ]
  })
  return { inputs: keyProperties(parts, entity), steps: [existsStep(parts, entity, at, true), ...joined] }
}

function insertWork(parts: PackageParts, { name, entity }: DescribedOperation): Work {
  const generated = entity.key.find(one => one.generated)
  const sent = entity.fields.filter(field => !field.generated)
  const record = recordName(entity)
  const stored = entity.key.length > 0 ? [readBack(parts, entity)] : [map([line([record], ['APIResponse', record])])]
  return {
    inputs: [bodyProperty(parts, entity)],
    steps: [
      ...foreignKeySteps(parts, entity, record),
      invokeGloop(sqlServiceName(parts, entity, name), {
        inputs: sent.map(field => fieldLine(parts, entity, field, record, `${name}Input`)),
        outputs: generated
          ? [
              line(
                ['generatedKeys', memberOf(parts.api, entity, generated.name)],
                [record, memberOf(parts.api, entity, generated.name)],
              ),
            ]
          : [],
      }),
      ...stored,
    ],
  }
}

function updateWork(parts: PackageParts, { name, entity }: DescribedOperation): Work {
  const record = recordName(entity)
  const inputs = entity.fields.map(field => fieldLine(parts, entity, field, record, `${name}Input`))
  return {
    inputs: [bodyProperty(parts, entity)],
    steps: [
      existsStep(parts, entity, keyAt(parts, entity, record)),
      ...foreignKeySteps(parts, entity, record),
      ...(entity.fields.length > entity.key.length
        ? [invokeGloop(sqlServiceName(parts, entity, name), { inputs })]
        : []),
      readBack(parts, entity),
    ],
  }
}

function deleteWork(parts: PackageParts, { name, entity }: DescribedOperation): Work {
  const inputs = keyMembers(parts.api, entity).map(member => line([member], [`${name}Input`, member]))
  return {
    inputs: keyProperties(parts, entity),
    steps: [
      existsStep(parts, entity, keyAt(parts, entity)),
      invokeGloop(sqlServiceName(parts, entity, name), { inputs }),
    ],
  }
}

/** The key as inputs of a service. */
function keyProperties({ api }: PackageParts, entity: ApiEntity): JsonTree[] {
  return entity.key.map(field => fieldProperty(field, memberOf(api, entity, field.name)))
}

type PlaceOf = (part: ApiField) => Place

/** Where the parts of the key are: in a record, or among the inputs. */
function keyAt({ api }: PackageParts, entity: ApiEntity, record?: string): PlaceOf {
  return ({ name }) => [...(record === undefined ? [] : [record]), memberOf(api, entity, name)]
}

function bodyProperty(parts: PackageParts, entity: ApiEntity): JsonTree {
  return property(recordName(entity), 'model', { reference: parts.models.get(entity.name), allowNull: false })
}

/** Reads the stored record, including values that the database generated. */
function readBack(parts: PackageParts, entity: ApiEntity): JsonTree {
  return existsStep(parts, entity, keyAt(parts, entity, recordName(entity)), true, refusal('404', entity))
}

/**
 * Reads the record whose key is at these places; the service ends with 404 without such a record. `isAnswered`: the
 * record is also the response.
 */
function existsStep(
  parts: PackageParts,
  entity: ApiEntity,
  at: PlaceOf,
  isAnswered = false,
  whenMissing: readonly JsonTree[] = refusal('404', entity),
): JsonTree {
  const reader = parts.readers.get(entity.name) ?? ''
  const variable = foundVariable(entity)
  const outputs = [
    line([`${reader}Output`], [variable]),
    ...(isAnswered ? [line([`${reader}Output`], ['APIResponse', plainName(entity.segment)])] : []),
  ]
  const read = invokeGloop(sqlServiceName(parts, entity, reader), {
    declare: [property(variable, 'model', { reference: parts.models.get(entity.name) })],
    inputs: entity.key.map(part => line(at(part), [`${reader}Input`, memberOf(parts.api, entity, part.name)])),
    outputs,
  })
  return { type: 'block', children: [read, fork(`${variable} == null`, { true: whenMissing })] }
}

function foundVariable({ name }: ApiEntity): string {
  return `found${plainName(name)}`
}

/** Checks that each foreign key value refers to an existing record; otherwise the service ends with 400. */
function foreignKeySteps(parts: PackageParts, entity: ApiEntity, record: string): JsonTree[] {
  const single = entity.fields.flatMap(({ name: field, references }): Parent[] =>
    references ? [{ entity: references.entity, pairs: [{ field, otherField: references.field }] }] : [],
  )
  const several = entity.relations.filter(({ kind, pairs }) => kind === 'toOne' && pairs.length > 1)
  return [...single, ...several].flatMap(({ entity: name, pairs }): JsonTree[] => {
    const other = entityOf(parts.api, name)
    const fields = new Map(pairs.map(({ field, otherField }) => [otherField, memberOf(parts.api, entity, field)]))
    // The services read records by their keys.
    if (!other || other.key.length !== pairs.length || !other.key.every(part => fields.has(part.name))) return []
    const check = existsStep(parts, other, part => [record, fields.get(part.name) ?? ''], false, refusal('400', other))
    return [fork([...fields.values()].map(member => `${record}.${member} != null`).join(' && '), { true: [check] })]
  })
}

type Parent = Pick<ApiRelation, 'entity' | 'pairs'>

/** Ends the service with an error for a missing record. */
function refusal(code: '400' | '404', { name }: ApiEntity): JsonTree[] {
  const lines = [setLine(['responseCode'], code), setLine(['APIException', 'message'], `'${name}' record not found.`)]
  return [map(lines), leaveService]
}

/** Copies a field of the request's record to the input of a service. */
function fieldLine(
  { api }: PackageParts,
  entity: ApiEntity,
  { name }: ApiField,
  record: string,
  input: string,
): JsonTree {
  const member = memberOf(api, entity, name)
  return line([record, member], [input, member])
}
