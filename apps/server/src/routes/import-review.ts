import { randomUUID } from 'node:crypto'
import { mergedEnumerations } from '@cadmus/formats/merged-enumerations'
import type { HandlerInput } from '@cadmus/model/contract/call'
import {
  checkReviewed,
  discardReview,
  importReviewed,
  importReviewedInto,
  listExistingEntities,
  listReviewedEntities,
  listReviewFindings,
  reviewImport,
} from '@cadmus/model/contract/import-review'
import { reviewLimits } from '@cadmus/model/import-review-limits'
import { limits } from '@cadmus/model/limits'
import { mayEditManifest } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { reviewTexts } from '@cadmus/model/messages/import-review'
import { changeOf } from '../commands/change.ts'
import { additionLine, importInto, matchesIn } from '../commands/manifest/import-into.ts'
import { requireManifest as requireEditable } from '../commands/manifest/manifest-permission.ts'
import { admitReview, readFile, reviewImport as run } from '../commands/manifest/review-import.ts'
import { ApiError, invalid, notFound } from '../errors/api-error.ts'
import { handle, type RequestContext, type Route } from '../http/route.ts'
import { visibleLine } from '../jobs/packed-entities.ts'
import {
  packItems,
  readEnumerations,
  readHead,
  readItems,
  readUpload,
  type ReviewRow,
  type StoredHead,
} from '../jobs/review-pages.ts'
import type { Db } from '../store/database.ts'
import { dropReview, heldReview } from '../store/import-review.ts'
import { manifestContent } from '../store/manifest.ts'
import { importIntoNew, uploadOf } from './imported-manifest.ts'
import { requireManifest } from './manifest-answer.ts'

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
    return { entities: rows.map(({ from: _from, uid: _uid, ...row }) => row), total: head.entities }
  }),
  handle(listReviewFindings, async ({ params, query }, request) => {
    const { db, place, head } = await reviewAt(request, params.key)
    const { from, total } = await findingsOf(db, place, head, query.entity)
    const { offset } = query
    const limit = Math.min(query.limit, total - offset)
    const findings = limit <= 0 ? [] : await readItems(db, place, 'findings', { offset: from + offset, limit })
    return { findings, total }
  }),
  handle(checkReviewed, async ({ params, body }, request) => {
    const { context } = request
    const { db, place, head, input } = await reviewAt(request, params.key)
    const { organisationId } = place
    checkLeftOut(head, body.leftOut)
    const { manifestId } = body
    const manifest = manifestId === undefined ? undefined : await requireManifest(request, manifestId)
    const matches = manifest ? await matchesIn(db, organisationId, manifest, await rowsOf(db, place, head)) : []
    const existing = new Set(matches.map(({ index }) => index))
    const leftOut = body.leftOut.filter(index => !existing.has(index))
    // What an import of everything would be refused for is in the findings.
    if (leftOut.length === 0) return { problems: [], total: head.findings.problems }
    context.jobs.admit(organisationId)
    const job = { organisationId, kind: 'import' as const, key: randomUUID(), userId: request.who.userId }
    const failed = messages.failed.importManifest
    return context.jobs.run({ ...job, failed, callerSignal: request.signal }, async running => {
      const file = { ...input, bytes: await readUpload(db, place), leftOut }
      const check = await readFile((one, signal) => context.workers.checkContents(one, signal), file, running)
      return { problems: check.problems, total: check.total }
    })
  }),
  handle(importReviewed, async ({ params, body }, request) => {
    const { db, place, head, input } = await reviewAt(request, params.key)
    checkLeftOut(head, body.leftOut)
    request.context.jobs.admit(place.organisationId)
    const { leftOut, key = randomUUID() } = body
    const upload = { ...input, bytes: await readUpload(db, place), leftOut }
    return importIntoNew(request, key, upload, () => dropReview(db, place.organisationId, place.jobId))
  }),
  handle(listExistingEntities, async ({ params, query }, request) => {
    const { db, place, head } = await reviewAt(request, params.key)
    const manifest = await requireManifest(request, query.manifestId)
    const matches = await matchesIn(db, place.organisationId, manifest, await rowsOf(db, place, head))
    const { enumerations } = await manifestContent(db, manifest)
    const { additions } = mergedEnumerations(enumerations, await readEnumerations(db, place))
    return {
      existing: matches.map(({ index, id, name, tag, by }) => ({ entity: index, id, name, tag, by })),
      findings: additions.map(additionLine).map(visibleLine),
    }
  }),
  handle(importReviewedInto, async ({ params, body }, request) => {
    const { context } = request
    const { db, place, head, input } = await reviewAt(request, params.key)
    checkLeftOut(head, body.leftOut)
    for (const [at, { entity }] of body.exceptions.entries())
      if (entity >= head.entities) throw refused(`exceptions.${at}.entity`, reviewTexts.unknownEntity(entity))
    const { organisationId, jobId: review } = place
    await requireEditable(db, organisationId, params.id, mayEditManifest)
    context.jobs.admit(organisationId)
    const { leftOut, key = randomUUID(), existing, exceptions, known } = body
    const choices = new Map(exceptions.map(one => [one.entity, one.existing]))
    const change = changeOf(request)
    const jobPlace = { organisationId, kind: 'import' as const, key, userId: request.who.userId }
    const failed = messages.failed.importManifest
    return context.jobs.run({ ...jobPlace, failed, callerSignal: request.signal }, async job => {
      const file = { ...input, bytes: await readUpload(db, place), leftOut }
      const { entities, enumerations, lines, total, database, omissions } = await readFile(
        (one, signal) => context.workers.readContents(one, signal),
        file,
        job,
      )
      job.signal.throwIfAborted()
      const choiceOf = (index: number) => choices.get(index) ?? existing
      const tags = new Map(known.map(({ id, tag }) => [id, tag]))
      const rows = await rowsOf(db, place, head)
      const source = { database, omissions }
      const into = { manifestId: params.id, review, entities, enumerations, source, rows, choiceOf, known: tags }
      const { lines: own, ...outcome } = await importInto(change, into)
      const { manifest, created, changed, unchanged, skipped, enumerations: added } = outcome
      const counts = { created: created.length, changed: changed.length, same: unchanged + skipped }
      const message = reviewTexts.into(manifest.name, { ...counts, enumerations: added.length })
      job.report({ state: 'done', done: entities.length, total: entities.length, message })
      const report = [...own, ...lines].slice(0, limits.importReportLines).map(visibleLine)
      return { result: 'OK' as const, message, ...outcome, report, reportLines: own.length + total }
    })
  }),
  handle(discardReview, async ({ params }, request) => {
    const { db, place } = await reviewAt(request, params.key)
    await dropReview(db, place.organisationId, place.jobId)
    return { result: 'OK' as const, message: reviewTexts.discarded }
  }),
]

/** Entities of a file that are looked for in a manifest. */
const mostMatched = 20_000

async function rowsOf(db: Db, place: Held['place'], { entities }: Held['head']): Promise<ReviewRow[]> {
  const rows: ReviewRow[] = []
  while (rows.length < Math.min(entities, mostMatched)) {
    const page = await readItems(db, place, 'entities', { offset: rows.length, limit: reviewLimits.page })
    if (page.length === 0) break
    rows.push(...page)
  }
  return rows
}

function checkLeftOut(head: StoredHead['head'], leftOut: readonly number[]): void {
  const unknown = leftOut.findIndex(index => index >= head.entities)
  if (unknown >= 0) throw refused(`leftOut.${unknown}`, reviewTexts.unknownEntity(leftOut[unknown] ?? 0))
  if (new Set(leftOut).size >= head.entities) throw refused('leftOut', reviewTexts.nothingLeft)
}

type Held = { db: Db; place: { organisationId: number; jobId: number } } & StoredHead

function ended(): ApiError {
  return new ApiError(404, 'not_found', reviewTexts.ended)
}

/** 404 for a review of somebody else, and one that has ended. */
async function reviewAt({ context, organisation, who }: RequestContext, key: string): Promise<Held> {
  const { store } = context
  const db = store.of(organisation.id)
  const job = await heldReview(db, store.clock, { organisationId: organisation.id, userId: who.userId, key })
  if (job === undefined) throw ended()
  const place = { organisationId: organisation.id, jobId: job.id }
  const head = await readHead(db, place)
  if (head === undefined) throw ended()
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
