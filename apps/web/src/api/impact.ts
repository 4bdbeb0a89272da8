import { type EntityImpact, getEntityImpact } from '@cadmus/model/contract/impact'
import type { EntityEdit } from '@cadmus/model/edits/entity-edits'
import { callApi } from './client.ts'
import { keys, scoped } from './query-client.ts'
import type { Scope } from './scope.ts'
import type { CallOptions } from './send.ts'

/** What depends on an entity, and what edits of its stored state mean for its manifests. */
export async function entityImpact(
  id: number,
  edits: readonly EntityEdit[],
  options: CallOptions,
): Promise<EntityImpact> {
  return callApi(getEntityImpact, { params: { id }, body: { edits: [...edits] } }, options)
}

/** Below the keys of manifests, because a change of any other document may change it. `etag`: of the stored state. */
export function entityImpactQuery(id: number, etag: string, edits: readonly EntityEdit[], scope?: Scope) {
  const key = [...keys.manifests, 'impact', id, etag, edits] as const
  return scoped(key, options => entityImpact(id, edits, options), scope)
}
