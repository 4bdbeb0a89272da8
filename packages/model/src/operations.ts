import * as z from 'zod'
import { messages } from './messages.ts'
import { foldName } from './paths.ts'

const scopeList = z.array(z.string(messages.scopesArray), messages.scopesArray)

export const operationScopesSchema = z.object({
  selectOperationScopes: scopeList,
  selectAllOperationScopes: scopeList,
  deleteOperationScopes: scopeList,
  insertOperationScopes: scopeList,
  updateOperationScopes: scopeList,
})
export type OperationScopes = z.infer<typeof operationScopesSchema>

/** An operation of an entity's API. `key`: the primary key's name for operations on an item. */
export type ApiOperation = { entity: string; key: string | null; method: 'get' | 'post' | 'put' | 'delete' }

/** The default REST operations of an entity: GET, POST, PUT on the collection; with a key GET, DELETE on the item. */
export function defaultOperations(entity: string, key: string | null): ApiOperation[] {
  const onCollection = (['get', 'post', 'put'] as const).map(method => ({ entity, key: null, method }))
  if (key === null) return onCollection
  return [...onCollection, ...(['get', 'delete'] as const).map(method => ({ entity, key, method }))]
}

/** Parses `Customer.get` or `Customer.id.get`; undefined for other text. */
export function parseExclusion(text: string): ApiOperation | undefined {
  const parts = text.split('.').map(part => part.trim())
  const method = methods.find(name => name === parts.at(-1)?.toLowerCase())
  const [entity = '', key = ''] = parts
  if (!method || entity === '' || parts.length > 3) return undefined
  if (parts.length === 2) return { entity, key: null, method }
  return key === '' ? undefined : { entity, key, method }
}

export function exclusionOf({ entity, key, method }: ApiOperation): string {
  return [entity, ...(key === null ? [] : [key]), method].join('.')
}

/** `GET - /customer` or `GET - /customer/{id}`. */
export function exclusionLabel({ entity, key, method }: ApiOperation): string {
  const path = `/${entity.toLowerCase()}`
  return `${method.toUpperCase()} - ${key === null ? path : `${path}/{${key}}`}`
}

export function isSameOperation(a: ApiOperation, b: ApiOperation): boolean {
  return (
    a.method === b.method &&
    foldName(a.entity) === foldName(b.entity) &&
    foldName(a.key ?? '') === foldName(b.key ?? '')
  )
}

const methods = ['get', 'post', 'put', 'delete'] as const
