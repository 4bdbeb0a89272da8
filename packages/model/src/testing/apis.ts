import type { Api, ApiEntity, ApiField } from '../api/api.ts'

// For tests only: an API of orders.

export function anApiField(name: string, overrides: Partial<ApiField> = {}): ApiField {
  return {
    uid: name,
    name,
    description: '',
    type: { kind: 'text' },
    nullable: true,
    generated: false,
    default: null,
    maxLength: null,
    choices: [],
    enumeration: null,
    unique: false,
    references: null,
    ...overrides,
  }
}

export function anApiKey(): ApiField {
  return anApiField('id', { type: { kind: 'integer', bits: 64 }, nullable: false, generated: true })
}

export function anApiEntity(overrides: Partial<ApiEntity> = {}): ApiEntity {
  const key = anApiKey()
  return {
    uid: 'e',
    name: 'Order',
    segment: 'order',
    description: '',
    fields: [key, anApiField('note', { maxLength: 20, choices: [] })],
    key: [key],
    uniqueTogether: [],
    checks: [],
    relations: [{ name: 'items', kind: 'toMany', entity: 'Item', pairs: [{ field: 'id', otherField: 'orderId' }] }],
    operations: { selectAll: { scopes: [] }, insert: { scopes: [] } },
    aggregates: [{ name: 'count', columns: [] }],
    history: false,
    ...overrides,
  }
}

export function anApi(overrides: Partial<Api> = {}): Api {
  return {
    name: 'a',
    namespace: 'a',
    title: 'A',
    description: '',
    version: '1.0.0',
    protocols: ['REST', 'SOAP'],
    security: { kind: 'NONE', identityProvider: 'CADMUS', rbac: false, scopes: [], globalScopes: [] },
    options: { coalesce: false, limitOffset: false, join: true, tenancy: false, customFields: false },
    entities: [anApiEntity()],
    ...overrides,
  }
}
