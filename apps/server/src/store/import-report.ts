import type { Db } from './database.ts'

/** One page of an import's report, as the reader made it. */
export async function insertReportPage(
  db: Db,
  organisationId: number,
  row: { jobId: number; page: number; body: string },
): Promise<void> {
  const { jobId, page, body } = row
  await db.insertInto('import_report').values({ organisation_id: organisationId, job_id: jobId, page, body }).execute()
}

/** The pages of a report one after the other, so that no more than one is read at a time. */
export async function* reportPages(db: Db, organisationId: number, jobId: number): AsyncGenerator<string> {
  for (let page = 0; ; page++) {
    const row = await db
      .selectFrom('import_report')
      .select('body')
      .where('organisation_id', '=', organisationId)
      .where('job_id', '=', jobId)
      .where('page', '=', page)
      .executeTakeFirst()
    if (row === undefined) return
    yield row.body
  }
}

/** Removes the reports of imports that failed or whose job is forgotten. */
export async function dropReports(db: Db, organisationId: number): Promise<void> {
  await db
    .deleteFrom('import_report')
    .where('organisation_id', '=', organisationId)
    .where('job_id', 'not in', eb =>
      eb
        .selectFrom('job')
        .select('job.id')
        .where('job.organisation_id', '=', organisationId)
        .where('job.kind', '=', 'import')
        .where('job.state', 'in', ['waiting', 'running', 'done']),
    )
    .execute()
}
