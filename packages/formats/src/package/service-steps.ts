import type { ApiEntity, ApiField } from '@cadmus/model/api/api'
import { entityOf } from '../api-entities.ts'
import { plainName } from '../api-names.ts'
import type { JsonTree } from '../json-tree.ts'
import { fork, invokeGloop, leaveService, line, map, property, setLine, type Place } from './gloop.ts'
import { memberOf, type PackageParts } from './package-parts.ts'
import { sqlServiceName } from './sql-services.ts'

/**
 * Reads the record whose key is at a path; the service ends with 404 without such a record. `isAnswered`: the record is
 * also the response.
 */
export function existsStep(
  parts: PackageParts,
  entity: ApiEntity,
  key: ApiField,
  at: Place,
  isAnswered = false,
  whenMissing: readonly JsonTree[] = refusal('404', entity),
): JsonTree {
  const reader = parts.readers.get(entity.name) ?? ''
  const variable = `found${plainName(entity.name)}`
  const outputs = [
    line([`${reader}Output`], [variable]),
    ...(isAnswered ? [line([`${reader}Output`], ['APIResponse', plainName(entity.segment)])] : []),
  ]
  const read = invokeGloop(sqlServiceName(parts, entity, reader), {
    declare: [property(variable, 'model', { reference: parts.models.get(entity.name) })],
    inputs: [line(at, [`${reader}Input`, memberOf(parts.api, entity, key.name)])],
    outputs,
  })
  return { type: 'block', children: [read, fork(`${variable} == null`, { true: whenMissing })] }
}

/** Checks that each foreign key value refers to an existing record; otherwise the service ends with 400. */
export function foreignKeySteps(parts: PackageParts, entity: ApiEntity, record: string): JsonTree[] {
  return entity.fields.flatMap((field): JsonTree[] => {
    const other = entityOf(parts.api, field.references?.entity)
    if (!other?.key || other.key.name !== field.references?.field) return []
    const member = memberOf(parts.api, entity, field.name)
    const check = existsStep(parts, other, other.key, [record, member], false, refusal('400', other))
    return [fork(`${record}.${member} != null`, { true: [check] })]
  })
}

/** Ends the service with an error for a missing record. */
export function refusal(code: '400' | '404', { name }: ApiEntity): JsonTree[] {
  const lines = [setLine(['responseCode'], code), setLine(['APIException', 'message'], `'${name}' record not found.`)]
  return [map(lines), leaveService]
}

/** Copies a field of the request's record to the input of a service. */
export function fieldLine(
  { api }: PackageParts,
  entity: ApiEntity,
  { name }: ApiField,
  record: string,
  input: string,
): JsonTree {
  const member = memberOf(api, entity, name)
  return line([record, member], [input, member])
}
