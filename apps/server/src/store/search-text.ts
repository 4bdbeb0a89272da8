import type { SearchText } from '@cadmus/model/search/search-texts'
import { yieldToEventLoop } from '../event-loop.ts'
import type { Db } from './database.ts'
import { partsOf, type SearchPart } from './search-parts.ts'
import { idBatch, inBatches, inWeighedBatches, rowsInBatches } from './statements.ts'
import type { Tables } from './tables.ts'

export type SearchedDocument = Tables['search_text']['document_kind']

/** A statement of the embedded store holds the thread. */
const rowsAtOnce = { items: 100, weight: 200_000 }

type Document = { id: number; parts: Iterable<SearchPart> }

/** Indexes the texts of new documents; call it in the transaction that stores them. */
export async function insertSearchTexts(
  db: Db,
  organisationId: number,
  kind: SearchedDocument,
  documents: Iterable<Document>,
): Promise<void> {
  await insertRows(db, newRows(organisationId, kind, documents))
}

function* newRows(organisationId: number, kind: SearchedDocument, documents: Iterable<Document>) {
  for (const { id, parts } of documents) {
    let index = 0
    for (const part of parts) yield rowOf(organisationId, kind, id, part, index++)
  }
}

/** Updates the indexed texts of documents; writes only parts that differ. */
export async function replaceSearchTexts(
  db: Db,
  organisationId: number,
  kind: SearchedDocument,
  documents: readonly { id: number; texts: readonly SearchText[] }[],
): Promise<void> {
  const ids = documents.map(({ id }) => id)
  const existing = await rowsInBatches(ids, idBatch, part =>
    db
      .selectFrom('search_text')
      .select(['document_id', 'part', 'texts'])
      .where('organisation_id', '=', organisationId)
      .where('document_kind', '=', kind)
      .where('document_id', 'in', part)
      .execute(),
  )
  const before = new Map(existing.map(row => [`${row.document_id} ${row.part}`, row.texts]))
  const changed: Tables['search_text'][] = []
  for (const { id, texts } of documents) {
    let index = 0
    for (const part of partsOf(texts)) {
      await yieldToEventLoop()
      const key = `${id} ${index}`
      if (before.get(key) !== part.texts) changed.push(rowOf(organisationId, kind, id, part, index))
      else before.delete(key)
      index += 1
    }
  }
  const outdated = Map.groupBy(before.keys(), key => Number(key.split(' ')[1]))
  for (const [part, keys] of outdated) {
    for (const some of inBatches(keys, idBatch)) {
      const documentIds = some.map(key => Number(key.split(' ')[0]))
      await rowsOf(db, organisationId, kind, documentIds).where('part', '=', part).execute()
    }
  }
  await insertRows(db, changed)
}

export async function deleteSearchTexts(
  db: Db,
  organisationId: number,
  kind: SearchedDocument,
  ids: readonly number[],
): Promise<void> {
  for (const part of inBatches(ids, idBatch)) await rowsOf(db, organisationId, kind, part).execute()
}

function rowsOf(db: Db, organisationId: number, kind: SearchedDocument, ids: readonly number[]) {
  return db
    .deleteFrom('search_text')
    .where('organisation_id', '=', organisationId)
    .where('document_kind', '=', kind)
    .where('document_id', 'in', ids)
}

function rowOf(
  organisationId: number,
  kind: SearchedDocument,
  id: number,
  { texts, words }: SearchPart,
  part: number,
): Tables['search_text'] {
  return {
    organisation_id: organisationId,
    document_kind: kind,
    document_id: id,
    part,
    texts,
    words: words.map(word => `${organisationId}${word}`).join(' '),
  }
}

/** Rows may be made as they are needed; other requests get a turn between two statements. */
async function insertRows(db: Db, rows: Iterable<Tables['search_text']>): Promise<void> {
  for (const part of inWeighedBatches(rows, rowsAtOnce, ({ texts, words }) => texts.length + words.length)) {
    await db.insertInto('search_text').values(part).execute()
    await yieldToEventLoop()
  }
}
