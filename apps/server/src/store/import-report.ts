import type { Db } from './database.ts'

/** Stores one page of an import report, as encoded by the reader. */
export async function insertReportPage(
  db: Db,
  organisationId: number,
  row: { jobId: number; page: number; body: string },
): Promise<void> {
  const { jobId, page, body } = row
  await db.insertInto('import_report').values({ organisation_id: organisationId, job_id: jobId, page, body }).execute()
}

/** Yields the pages of a report one by one to limit memory. */
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

/** Deletes the reports of failed imports and of deleted jobs. */
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
