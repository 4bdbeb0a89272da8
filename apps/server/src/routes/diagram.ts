import {
  changeDiagramView,
  createDiagramView,
  deleteDiagramView,
  getDiagramRows,
  getEntityDiagram,
  getManifestDiagram,
  listDiagramViews,
} from '@cadmus/model/contract/diagram'
import { storedViewTexts } from '@cadmus/model/messages/diagram'
import { changeOf } from '../commands/change.ts'
import { changeView, createView, removeView, summaryOf } from '../commands/diagram-view.ts'
import { ReadyJson } from '../http/ready-json.ts'
import { handle, type RequestContext, type Route } from '../http/route.ts'
import { diagramAnswer, lightDiagramRows, neighbourhoodAnswer } from '../jobs/diagram.ts'
import { areMembersLight, isLightNeighbourhood } from '../store/answer-size.ts'
import { placementsOf, viewsOfManifest } from '../store/diagram-view.ts'
import { frozenPlacements, frozenSummary } from '../store/frozen-views.ts'
import { snapshotByHash } from '../store/manifest-snapshot.ts'
import type { ManifestRow, ManifestVersionRow } from '../store/manifest.ts'
import { requireManifest, requireVersion } from './manifest-answer.ts'

export const diagramRoutes: Route[] = [
  handle(getManifestDiagram, async ({ params, query }, request) => {
    const { context, organisation, signal } = request
    const manifest = await requireManifest(request, params.id)
    const frozen = await requireVersion(request, manifest, query.version)
    const place = { organisationId: organisation.id, manifestId: manifest.id, version: frozen?.version ?? null }
    const isSmall = frozen === null && manifest.sub_manifest_count === 0
    if (isSmall && (await areMembersLight(context.store.of(organisation.id), organisation.id, manifest)))
      return diagramAnswer(context.store, place)
    return new ReadyJson(await context.workers.run('diagram', place, signal))
  }),
  handle(getEntityDiagram, async ({ params, query: { steps } }, { context, organisation, signal }) => {
    const place = { organisationId: organisation.id, id: params.id, steps }
    const isLight = await isLightNeighbourhood(context.store.of(organisation.id), place)
    if (isLight) return neighbourhoodAnswer(context.store, place)
    return new ReadyJson(await context.workers.run('neighbourhood', place, signal))
  }),
  handle(getDiagramRows, async ({ query }, request) => {
    const { context, organisation, signal } = request
    const manifest = query.manifest === undefined ? null : await requireManifest(request, query.manifest)
    const frozen = manifest && (await requireVersion(request, manifest, query.version))
    const version = frozen && {
      organisationId: organisation.id,
      manifestId: frozen.manifest_id,
      version: frozen.version,
    }
    const place = { organisationId: organisation.id, ids: query.entities, manifest: version }
    const light = await lightDiagramRows(context.store, place)
    return light ?? new ReadyJson(await context.workers.run('diagramRows', place, signal))
  }),
  handle(listDiagramViews, async ({ params, query }, request) => {
    const manifest = await requireManifest(request, params.id)
    const frozen = await requireVersion(request, manifest, query.version)
    return frozen ? frozenViews(request, frozen, query.open) : currentViews(request, manifest, query.open)
  }),
  handle(createDiagramView, async ({ params, body: { operationId, ...body } }, request) => {
    return { view: await createView(changeOf(request, operationId), params.id, body) }
  }),
  handle(changeDiagramView, async ({ params: { id: manifestId, uid }, body: { operationId, ...body } }, request) =>
    changeView(changeOf(request, operationId), { manifestId, uid }, body),
  ),
  handle(deleteDiagramView, async ({ params: { id: manifestId, uid } }, request) => {
    await removeView(changeOf(request), { manifestId, uid })
    return { result: 'OK' as const, message: storedViewTexts.deleted }
  }),
]

async function currentViews({ context, organisation, who }: RequestContext, manifest: ManifestRow, uid?: string) {
  const db = context.store.of(organisation.id)
  const rows = await viewsOfManifest(db, organisation.id, manifest.id, who.userId)
  const open = toOpen(
    rows.map(row => ({ ...summaryOf(row), row })),
    uid,
  )
  return {
    views: rows.map(summaryOf),
    open: open ? { ...summaryOf(open.row), placements: await placementsOf(db, open.row) } : null,
  }
}

async function frozenViews({ context, organisation }: RequestContext, version: ManifestVersionRow, uid?: string) {
  const db = context.store.of(organisation.id)
  const { views } = await snapshotByHash(db, organisation.id, version.content_hash)
  const open = toOpen(
    views.map(view => ({ ...frozenSummary(view), view })),
    uid,
  )
  return {
    views: views.map(frozenSummary),
    open: open
      ? { ...frozenSummary(open.view), placements: await frozenPlacements(db, organisation.id, open.view.placements) }
      : null,
  }
}

/** The requested view; the default, which is the oldest shared one, if it does not exist. */
function toOpen<V extends { uid: string; shared: boolean }>(views: readonly V[], uid: string | undefined) {
  return views.find(view => view.uid === uid) ?? views.find(view => view.shared)
}
