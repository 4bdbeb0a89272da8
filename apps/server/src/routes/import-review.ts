import { randomUUID } from 'node:crypto'
import type { HandlerInput } from '@cadmus/model/contract/call'
import {
  discardReview,
  importReviewed,
  listReviewedEntities,
  listReviewFindings,
  reviewImport,
} from '@cadmus/model/contract/import-review'
import { messages } from '@cadmus/model/messages'
import { reviewTexts } from '@cadmus/model/messages/import-review'
import { changeOf } from '../commands/change.ts'
import { admitReview, reviewImport as run } from '../commands/manifest/review-import.ts'
import { invalid, notFound } from '../errors/api-error.ts'
import { handle, type RequestContext, type Route } from '../http/route.ts'
import { packItems, readHead, readItems, readUpload, type StoredHead } from '../jobs/review-pages.ts'
import type { Db } from '../store/database.ts'
import { dropReview, heldReview } from '../store/import-review.ts'
import { importIntoNew, uploadOf } from './imported-manifest.ts'

export const importReviewRoutes: Route[] = [
  handle(reviewImport, async ({ query }, request) => {
    const { context, organisation } = request
    context.jobs.admit(organisation.id)
    const upload = await uploadOf(request, query)
    const change = changeOf(request)
    await admitReview(change, upload.bytes.length)
    const key = query.key ?? randomUUID()
    const place = { organisationId: organisation.id, kind: 'import' as const, key, userId: request.who.userId }
    const job = { ...place, failed: messages.failed.importManifest, callerSignal: request.signal }
    const head = await context.jobs.run(job, async running =>
      run(change, context.workers, { ...upload, job: running, pack: packItems }),
    )
    return { result: 'OK' as const, message: reviewTexts.read, review: { ...head, key } }
  }),
  handle(listReviewedEntities, async ({ params, query }, request) => {
    const { db, place, head } = await reviewAt(request, params.key)
    const rows = await readItems(db, place, 'entities', query)
    return { entities: rows.map(({ from: _from, ...row }) => row), total: head.entities }
  }),
  handle(listReviewFindings, async ({ params, query }, request) => {
    const { db, place, head } = await reviewAt(request, params.key)
    const { from, total } = await findingsOf(db, place, head, query.entity)
    const { offset } = query
    const limit = Math.min(query.limit, total - offset)
    const findings = limit <= 0 ? [] : await readItems(db, place, 'findings', { offset: from + offset, limit })
    return { findings, total }
  }),
  handle(importReviewed, async ({ params, body }, request) => {
    const { db, place, head, input } = await reviewAt(request, params.key)
    const unknown = body.leftOut.findIndex(index => index >= head.entities)
    if (unknown >= 0) throw refused(`leftOut.${unknown}`, reviewTexts.unknownEntity(body.leftOut[unknown] ?? 0))
    if (new Set(body.leftOut).size >= head.entities) throw refused('leftOut', reviewTexts.nothingLeft)
    request.context.jobs.admit(place.organisationId)
    const { leftOut, key = randomUUID() } = body
    const upload = { ...input, bytes: await readUpload(db, place), leftOut }
    return importIntoNew(request, key, upload, () => dropReview(db, place.organisationId, place.jobId))
  }),
  handle(discardReview, async ({ params }, request) => {
    const { db, place } = await reviewAt(request, params.key)
    await dropReview(db, place.organisationId, place.jobId)
    return { result: 'OK' as const, message: reviewTexts.discarded }
  }),
]

type Held = { db: Db; place: { organisationId: number; jobId: number } } & StoredHead

/** 404 for a review of somebody else, and one that has ended. */
async function reviewAt({ context, organisation, who }: RequestContext, key: string): Promise<Held> {
  const { store } = context
  const db = store.of(organisation.id)
  const job = await heldReview(db, store.clock, { organisationId: organisation.id, userId: who.userId, key })
  if (job === undefined) throw notFound(reviewTexts.ended)
  const place = { organisationId: organisation.id, jobId: job.id }
  const head = await readHead(db, place)
  if (head === undefined) throw notFound(reviewTexts.ended)
  return { db, place, ...head }
}

/** Where the findings of an entity, or those of no single one, are among all. */
async function findingsOf(
  db: Db,
  place: Held['place'],
  { ownFindings }: Held['head'],
  entity: HandlerInput<typeof listReviewFindings>['query']['entity'],
): Promise<{ from: number; total: number }> {
  if (entity === undefined) return { from: 0, total: ownFindings }
  const [row] = await readItems(db, place, 'entities', { offset: entity, limit: 1 })
  if (row === undefined) throw notFound('The entity')
  return { from: row.from, total: row.problems + row.lost + row.changed + row.notes }
}

function refused(path: string, message: string) {
  return invalid(message, [{ path, message }])
}
