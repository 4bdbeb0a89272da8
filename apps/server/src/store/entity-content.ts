import { entityForm } from '@cadmus/model/content'
import { readStored } from '@cadmus/model/stored/stored-form'
import { type EntityContent, noScopes } from '@cadmus/model/entity'
import { type OperationScopes, operationScopesSchema } from '@cadmus/model/operations'

const maxCacheSize = 16_000_000
const cache = new Map<string, { content: EntityContent; size: number }>()
let cacheSize = 0

/** Parses the content of an entity, with a cache by hash. The result is shared: never modify it. */
export function entityContentOf(hash: string, body: string): EntityContent {
  const cached = cache.get(hash)
  if (cached) {
    cache.delete(hash)
    cache.set(hash, cached)
    return cached.content
  }
  const content = readStored(entityForm, JSON.parse(body))
  cache.set(hash, { content, size: body.length })
  cacheSize += body.length
  for (const [oldest, { size }] of cache) {
    if (cacheSize <= maxCacheSize) break
    cache.delete(oldest)
    cacheSize -= size
  }
  return content
}

/** The stored form of scopes; '' if there are none. */
export function writeScopes(scopes: OperationScopes): string {
  return Object.values(scopes).every(list => list.length === 0) ? '' : JSON.stringify(scopes)
}

export function readScopes(text: string): OperationScopes {
  return text === '' ? noScopes : operationScopesSchema.parse(JSON.parse(text))
}
