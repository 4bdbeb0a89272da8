import type { CallAnswer, CallInput } from '@cadmus/model/contract/call'
import {
  changeDiagramView as changeDiagramViewCall,
  createDiagramView as createDiagramViewCall,
  deleteDiagramView as deleteDiagramViewCall,
  getDiagramRows,
  getEntityDiagram,
  getManifestDiagram,
  listDiagramViews,
} from '@cadmus/model/contract/diagram'
import type { CardRow } from '@cadmus/model/diagram/card-rows'
import { diagramLimits } from '@cadmus/model/diagram/view'
import { callApi, callWithTag } from './client.ts'
import { isBelow, queryClient } from './query-client.ts'
import { revalidated } from './revalidated.ts'
import type { Scope } from './scope.ts'
import type { CallOptions } from './send.ts'

export type {
  DiagramAnswer,
  DiagramViewSummary,
  NeighbourhoodAnswer,
  RefusedPlacement,
} from '@cadmus/model/contract/diagram'

/** Below the keys of manifests, because any change in one may change its diagram. */
const diagramKeys = {
  manifest: (id: number, version = 'latest') => ['manifests', 'diagram', id, version] as const,
  entity: (id: number, steps: number) => ['manifests', 'neighbourhood', id, steps] as const,
  views: (manifestId: number) => ['diagramViews', manifestId] as const,
}

/** The cards and links of a manifest, or of one of its versions. */
export function diagramQuery(id: number, version?: string, scope?: Scope) {
  const read = (options: CallOptions) =>
    callWithTag(getManifestDiagram, { params: { id }, query: { version } }, options)
  return revalidated(diagramKeys.manifest(id, version), read, scope)
}

/** The cards and links up to `steps` relationships away from an entity, which is the first card. */
export function neighbourhoodQuery(id: number, steps: 1 | 2 | 3, scope?: Scope) {
  const read = (options: CallOptions) => callWithTag(getEntityDiagram, { params: { id }, query: { steps } }, options)
  return revalidated(diagramKeys.entity(id, steps), read, scope)
}

/** `frozen`: the manifest and its version whose state to read; otherwise the current one. */
type RowsPlace = CallOptions & { frozen?: { manifest: number; version: string } | undefined }

/** The rows of entities, by id, in any number; those that do not exist are left out. */
export async function diagramRows(
  ids: readonly number[],
  { frozen, ...options }: RowsPlace = {},
): Promise<Map<number, CardRow[]>> {
  const rows = new Map<number, CardRow[]>()
  for (let start = 0; start < ids.length; start += diagramLimits.rowsAtOnce) {
    const query = { ...frozen, entities: ids.slice(start, start + diagramLimits.rowsAtOnce).join(',') }
    const { entities } = await callApi(getDiagramRows, { query }, options)
    for (const entity of entities) rows.set(entity.id, entity.rows)
  }
  return rows
}

/** The views of a manifest, with the placements of `open`, or of the default view if that is absent or deleted. */
export function diagramViewsQuery(manifestId: number, shown: { version?: string; open?: string } = {}, scope?: Scope) {
  const { version, open } = shown
  const key = [...diagramKeys.views(manifestId), version ?? 'latest', open ?? 'default']
  const input = { params: { id: manifestId }, query: { version, open } }
  return revalidated(key, options => callWithTag(listDiagramViews, input, options), scope)
}

type ViewPlace = { manifestId: number; scope: Scope }
export type NewDiagramView = CallInput<typeof createDiagramViewCall>['body']
export type DiagramViewChange = CallInput<typeof changeDiagramViewCall>['body']
export type DiagramViewChanged = CallAnswer<typeof changeDiagramViewCall>

export async function createDiagramView({ manifestId, scope }: ViewPlace, body: NewDiagramView) {
  const { view } = await callApi(createDiagramViewCall, { params: { id: manifestId }, body }, { scope })
  await invalidateViews(manifestId, 'active')
  return view
}

/** Sends one step. The open diagram applies the answer itself, so its query is not read again. */
export async function changeDiagramView(
  { manifestId, scope, uid }: ViewPlace & { uid: string },
  body: DiagramViewChange,
): Promise<DiagramViewChanged> {
  const answer = await callApi(changeDiagramViewCall, { params: { id: manifestId, uid }, body }, { scope })
  await invalidateViews(manifestId, 'none')
  return answer
}

export async function deleteDiagramView({ manifestId, scope, uid }: ViewPlace & { uid: string }): Promise<void> {
  await callApi(deleteDiagramViewCall, { params: { id: manifestId, uid } }, { scope })
  await invalidateViews(manifestId, 'active')
}

async function invalidateViews(manifestId: number, refetchType: 'active' | 'none'): Promise<void> {
  await queryClient.invalidateQueries({ predicate: isBelow([diagramKeys.views(manifestId)]), refetchType })
}
