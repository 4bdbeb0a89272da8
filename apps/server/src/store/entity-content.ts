import { upgradeEntityContent } from '@cadmus/model/content'
import { type EntityContent, noScopes } from '@cadmus/model/entity'
import { type OperationScopes, operationScopesSchema } from '@cadmus/model/operation-scopes'

const keptCharacters = 16_000_000
const kept = new Map<string, { content: EntityContent; size: number }>()
let keptSize = 0

/** Parses the content of an entity, with a cache by hash. The result is shared: never modify it. */
export function entityContentOf(hash: string, body: string): EntityContent {
  const known = kept.get(hash)
  if (known) {
    kept.delete(hash)
    kept.set(hash, known)
    return known.content
  }
  const content = upgradeEntityContent(JSON.parse(body))
  kept.set(hash, { content, size: body.length })
  keptSize += body.length
  for (const [oldest, { size }] of kept) {
    if (keptSize <= keptCharacters) break
    kept.delete(oldest)
    keptSize -= size
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
