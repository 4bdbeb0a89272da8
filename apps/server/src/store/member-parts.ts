import { sql } from 'kysely'
import { randomBytes } from 'node:crypto'
import { inBatches } from './batches.ts'
import type { Db } from './database.ts'
import type { NodePart } from './stored-nodes.ts'
import { unseenManifests } from './unseen.ts'

const idBatch = 500
/** Between rows. Nobody who writes a path knows it. */
const mark = `\n${randomBytes(12).toString('base64url')}\n`
/** What stands where, as one text: a thousand rows cost each store and its driver more than that. */
const listed = sql<Rows>`string_agg(entity.id || ' ' || entity.content_hash || ' ' || entity.path, ${sql.val(mark)})`

/** Null where there is none. */
type Rows = string | null
type Batch = { text: string; rows: readonly string[]; parts: readonly NodePart[] }

/** The entities that manifests list, asked for again and again: of a row that is as before, what it says is the same object. */
export class MemberParts {
  #batches: readonly Batch[] = []

  /** Each once. */
  async read(db: Db, organisationId: number, manifestIds: readonly number[]): Promise<NodePart[]> {
    const batches: Batch[] = []
    for (const ids of inBatches(manifestIds, idBatch)) {
      const text = await textOf(db, organisationId, ids)
      const before = this.#batches[batches.length]
      batches.push(before?.text === text ? before : batchOf(text, before))
    }
    this.#batches = batches
    const members = new Map(batches.flatMap(({ parts }) => parts.map(part => [part.id, part] as const)))
    return [...members.values()]
  }
}

async function textOf(db: Db, organisationId: number, manifestIds: readonly number[]): Promise<string> {
  const row = await db
    .selectFrom('manifest_member')
    .innerJoin('entity', join =>
      join
        .onRef('entity.organisation_id', '=', 'manifest_member.entity_organisation_id')
        .onRef('entity.id', '=', 'manifest_member.entity_id'),
    )
    .select(listed.as('rows'))
    .where('manifest_member.organisation_id', 'in', [organisationId, 0])
    .where('manifest_member.manifest_id', 'in', manifestIds)
    .where('entity.organisation_id', 'in', [organisationId, 0])
    .where('entity.import_id', '=', 0)
    .where('entity.manifest_id', 'not in', unseenManifests(db, [organisationId]))
    .executeTakeFirst()
  return row?.rows ?? ''
}

function batchOf(text: string, before: Batch | undefined): Batch {
  const rows = text === '' ? [] : text.split(mark)
  const parts = rows.map((row, index) => {
    const known = before?.rows[index] === row ? before.parts[index] : undefined
    return known ?? partOf(row)
  })
  return { text, rows, parts }
}

/** An id, a hash, and the rest is the path. */
function partOf(row: string): NodePart {
  const first = row.indexOf(' ')
  const second = row.indexOf(' ', first + 1)
  return { id: Number(row.slice(0, first)), hash: row.slice(first + 1, second), path: row.slice(second + 1) }
}
