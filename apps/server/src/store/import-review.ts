import { reviewLimits } from '@cadmus/model/import-review-limits'
import type { Db } from './database.ts'
import type { JobRow } from './job.ts'
import { type Clock, fromNow } from './statements.ts'
import type { Tables } from './tables.ts'

export type ReviewPart = Tables['import_review']['part']
export type ReviewPage = { jobId: number; part: ReviewPart; page: number; body: string }

export async function insertReviewPage(db: Db, organisationId: number, row: ReviewPage): Promise<void> {
  const { jobId, part, page, body } = row
  await db
    .insertInto('import_review')
    .values({ organisation_id: organisationId, job_id: jobId, part, page, size: body.length, body })
    .execute()
}

export async function reviewPage(
  db: Db,
  organisationId: number,
  { jobId, part, page }: Omit<ReviewPage, 'body'>,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('import_review')
    .select('body')
    .where('organisation_id', '=', organisationId)
    .where('job_id', '=', jobId)
    .where('part', '=', part)
    .where('page', '=', page)
    .executeTakeFirst()
  return row?.body
}

type Owner = { organisationId: number; userId: string }

/** The job of a review that its user may use; undefined if it has ended or expired. */
export async function heldReview(
  db: Db,
  clock: Clock,
  { organisationId, userId, key }: Owner & { key: string },
): Promise<Pick<JobRow, 'id'> | undefined> {
  return held(db, clock, { organisationId, userId }).where('job_key', '=', key).executeTakeFirst()
}

/** The jobs of a user's reviews, newest first. */
export async function reviewsOfUser(db: Db, clock: Clock, owner: Owner): Promise<number[]> {
  const rows = await held(db, clock, owner).orderBy('id', 'desc').execute()
  return rows.map(({ id }) => id)
}

function held(db: Db, clock: Clock, { organisationId, userId }: Owner) {
  return db
    .selectFrom('job')
    .select('job.id')
    .where('organisation_id', '=', organisationId)
    .where('kind', '=', 'import')
    .where('state', '=', 'done')
    .where('user_id', '=', userId)
    .where('ended_at', '>', fromNow(clock, -reviewLimits.lifetime))
    .where(eb =>
      eb(
        'job.id',
        'in',
        eb
          .selectFrom('import_review')
          .select('job_id')
          .where('import_review.organisation_id', '=', organisationId)
          .where('part', '=', 'head'),
      ),
    )
}

/** Characters of all uploads under review. */
export async function reviewedCharacters(db: Db, organisationId: number): Promise<number> {
  const row = await db
    .selectFrom('import_review')
    .select(eb => eb.fn.sum<number | string | null>('size').as('size'))
    .where('organisation_id', '=', organisationId)
    .executeTakeFirst()
  return Number(row?.size ?? 0)
}

export async function dropReview(db: Db, organisationId: number, jobId: number): Promise<void> {
  await db
    .deleteFrom('import_review')
    .where('organisation_id', '=', organisationId)
    .where('job_id', '=', jobId)
    .execute()
}

/** Deletes reviews that have expired or failed. */
export async function dropReviews(db: Db, clock: Clock, organisationId: number): Promise<void> {
  await db
    .deleteFrom('import_review')
    .where('organisation_id', '=', organisationId)
    .where('job_id', 'not in', eb =>
      eb
        .selectFrom('job')
        .select('job.id')
        .where('job.organisation_id', '=', organisationId)
        .where('job.kind', '=', 'import')
        .where(job =>
          job.or([
            job('job.state', 'in', ['waiting', 'running']),
            job.and([job('job.state', '=', 'done'), job('job.ended_at', '>', fromNow(clock, -reviewLimits.lifetime))]),
          ]),
        ),
    )
    .execute()
}
