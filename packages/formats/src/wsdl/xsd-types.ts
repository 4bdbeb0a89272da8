import type { ApiFieldType } from '@cadmus/model/api/api'

const names: Readonly<Record<Exclude<ApiFieldType['kind'], 'integer'>, string>> = {
  text: 'string',
  guid: 'string',
  double: 'double',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  timestamp: 'dateTime',
  // JSON values are sent as text.
  json: 'string',
  binary: 'base64Binary',
  decimal: 'decimal',
}

/** XML Schema type of a field, without prefix. */
export function xsdTypeOf(type: ApiFieldType): string {
  if (type.kind !== 'integer') return names[type.kind]
  if (type.bits === 64) return 'long'
  return type.bits === 32 ? 'int' : 'short'
}

export function targetNamespace(namespace: string): string {
  return `urn:cadmus:${namespace}:1.0`
}
