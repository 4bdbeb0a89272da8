import { getScopeMatrix } from '@cadmus/model/contract/scope-matrix'
import { callWithTag } from './client.ts'
import { revalidated } from './revalidated.ts'

export type { ScopeMatrixAnswer } from '@cadmus/model/contract/scope-matrix'

/** The scopes of a manifest's operations, or of those of one of its versions. Below the keys of manifests, as any change may concern them. */
export function scopeMatrixQuery(id: number, version?: string) {
  return revalidated(['manifests', 'scopeMatrix', id, version ?? 'latest'], options =>
    callWithTag(getScopeMatrix, { params: { id }, query: { version } }, options),
  )
}
