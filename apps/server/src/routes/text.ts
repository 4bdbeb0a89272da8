import { readEntityContents } from '@cadmus/model/contract/contents'
import { readSqlText } from '@cadmus/model/contract/text'
import { invalid } from '../errors/api-error.ts'
import { ReadyJson } from '../http/ready-json.ts'
import { handle, type Route } from '../http/route.ts'
import { requireManifest } from './manifest-answer.ts'

export const textRoutes: Route[] = [
  handle(readEntityContents, async ({ params, body: { known } }, request) => {
    const { context, organisation, signal } = request
    const manifest = await requireManifest(request, params.id)
    const place = { organisationId: organisation.id, manifestId: manifest.id }
    return new ReadyJson(await context.workers.check('entityContents', { ...place, known }, signal))
  }),
  handle(readSqlText, async ({ params, body: { sql: text, databaseType: database } }, request) => {
    const { context, organisation, signal } = request
    await requireManifest(request, params.id)
    const read = await context.workers.readSql({ organisationId: organisation.id, text, database }, signal)
    if ('refused' in read) throw invalid(read.refused, [{ path: 'sql', message: read.refused }])
    return new ReadyJson(read.json)
  }),
]
