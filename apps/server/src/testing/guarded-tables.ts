import { type Expression, expressionBuilder, Kysely, type SqlBool, SqliteDialect } from 'kysely'
import { OrganisationGuard } from '../store/guard.ts'
import { openSqlite } from '../store/sqlite.ts'

type Row = {
  organisation_id: number | null
  id: number
  name: string
  hash: string
  content_hash: string
  body: string
}
/** `entity`, `content` and `manifest` are guarded, `session` is not. */
type Guarded = Record<'entity' | 'content' | 'manifest' | 'session', Row>

const dialect = new SqliteDialect({ database: openSqlite(':memory:', {}) })
export const db = new Kysely<Guarded>({ dialect, plugins: [new OrganisationGuard(1)] })
/** For nested queries: the guard checks them as part of the whole statement. */
export const nested = db.withoutPlugins()
export const eb = expressionBuilder<Record<string, Row>, string>()
export const refusal = /does not stay within its organisation/

export const own = (alias: string): Expression<SqlBool> => eb(`${alias}.organisation_id`, '=', 1)
export const ownEntities = () => db.selectFrom('entity as e').select('e.id').where(own('e'))
export const aRow = { organisation_id: 1, id: 1, name: '', hash: '', content_hash: '', body: '' }

export const sharedDb = new Kysely<Guarded>({ dialect, plugins: [new OrganisationGuard(null)] })
