import { entityForm, manifestForm } from '@cadmus/model/content'
import { readStored } from '@cadmus/model/stored/stored-form'
import { entityTexts, manifestTexts, operationScopeTexts, type SearchText } from '@cadmus/model/search/search-texts'
import { type Kysely, sql, SqliteAdapter } from 'kysely'
import { configurationTexts, searchParts } from '../search-parts.ts'

const documentsAtOnce = 50
const rowsAtOnce = 50

/**
 * The search for descriptions, choices and scopes: `search_text` has the texts of each document in parts, with their words,
 * filled from the contents in slices. The words are indexed by FTS5 and a GIN index, which are part of both databases.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter
  const columns = `organisation_id bigint not null, document_kind text not null, document_id bigint not null,
    part bigint not null, texts text not null, words text not null`
  const key = 'organisation_id, document_kind, document_id, part'
  const statements = isSqlite
    ? [`create table search_text (id integer primary key, ${columns}, unique (${key}))`, ...sqliteIndex()]
    : [`create table search_text (${columns}, primary key (${key}))`, ...vectorIndex]
  for (const statement of [...statements, ...nameIndex]) await sql.raw(statement).execute(db)
  if (isSqlite) await describeSize(db)
  await fill(db, 'entity', 'content_hash', body => entityTexts(readStored(entityForm, body)))
  await fill(db, 'manifest', 'content_hash', body => manifestTexts(readStored(manifestForm, body)))
  await fill(db, 'manifest', 'configuration_hash', configurationTexts)
  await fillOwnScopes(db)
}

/**
 * The planner must not prefer to make the vectors of all texts, which takes seconds: it would hold a plain expression for
 * cheap, and an index with a list of pending words for dear.
 */
const vectorIndex = [
  `create function search_vector(words text) returns tsvector language plpgsql immutable strict parallel safe cost 1000
    as $$ begin return array_to_tsvector(string_to_array(words, ' ')); end $$`,
  'create index search_text_words on search_text using gin (search_vector(words)) with (fastupdate = off)',
]

/** With the names as written, so that a scan of all names reads nothing but the index. */
const nameIndex = [
  'drop index attribute_name_folded',
  'create index attribute_name_folded on attribute_name (organisation_id, name_folded, name)',
]

/** A contentless table stores only the words; triggers keep it up to date. */
function sqliteIndex(): string[] {
  const insert = 'insert into search_word (rowid, words) values (new.id, new.words)'
  const remove = 'delete from search_word where rowid = old.id'
  return [
    `create virtual table search_word using fts5 (words, content = '', contentless_delete = 1, detail = none,
      tokenize = 'ascii')`,
    `create trigger search_word_insert after insert on search_text begin ${insert}; end`,
    `create trigger search_word_delete after delete on search_text begin ${remove}; end`,
    `create trigger search_word_update after update of words on search_text begin ${remove}; ${insert}; end`,
  ]
}

/** Statistics of a large store, as for the other tables: otherwise the planner reads all texts of an organisation. */
async function describeSize(db: Kysely<unknown>): Promise<void> {
  await sql`insert into sqlite_stat1 (tbl, idx, stat)
    values ('search_text', 'sqlite_autoindex_search_text_1', '60000 30000 20000 1 1')`.execute(db)
}

type Place = { organisation_id: number; id: number }

async function fill(
  db: Kysely<unknown>,
  table: 'entity' | 'manifest',
  hash: 'content_hash' | 'configuration_hash',
  textsOf: (body: unknown) => SearchText[],
): Promise<void> {
  const kind = hash === 'configuration_hash' ? 'configuration' : table
  for (let after: Place | undefined = { organisation_id: -1, id: -1 }; after;) {
    const { rows } = await sql<Place & { body: string }>`
      select document.organisation_id, document.id, content.body from ${sql.table(table)} as document
      join content on content.organisation_id = document.organisation_id and content.hash = ${sql.ref(`document.${hash}`)}
      where (document.organisation_id, document.id) > (${after.organisation_id}, ${after.id})
      order by document.organisation_id, document.id limit ${documentsAtOnce}`.execute(db)
    const documents = rows.map(({ body, ...place }) => ({ ...place, texts: textsOf(JSON.parse(body)) }))
    await insert(db, kind, documents)
    after = rows.at(-1)
  }
}

/** The organisations' own operation scopes of predefined entities. */
async function fillOwnScopes(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<Place & { scopes: string }>`
    select organisation_id, entity_id as id, scopes from entity_scopes where scopes <> ''`.execute(db)
  await insert(
    db,
    'entity',
    rows.map(({ scopes, ...place }) => ({ ...place, texts: operationScopeTexts(JSON.parse(scopes)) })),
  )
}

async function insert(
  db: Kysely<unknown>,
  kind: string,
  documents: readonly (Place & { texts: SearchText[] })[],
): Promise<void> {
  const values = documents.flatMap(({ organisation_id: organisation, id, texts }) =>
    searchParts(texts).map(({ texts: text, words }, part) => {
      const terms = words.map(word => `${organisation}${word}`).join(' ')
      return sql`(${organisation}, ${kind}, ${id}, ${part}, ${text}, ${terms})`
    }),
  )
  for (let start = 0; start < values.length; start += rowsAtOnce) {
    await sql`insert into search_text (organisation_id, document_kind, document_id, part, texts, words)
      values ${sql.join(values.slice(start, start + rowsAtOnce))}`.execute(db)
  }
}
