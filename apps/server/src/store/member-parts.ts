import { sql } from 'kysely'
import { inBatches } from './batches.ts'
import type { Db } from './database.ts'
import { mark } from './marked-rows.ts'
import type { NodePart } from './stored-nodes.ts'
import { unseenManifests } from './unseen.ts'

const idBatch = 500
/** Null where there is none. */
type Text = string | null
/** An entity that everybody may see. */
const seen = sql<Text>`case when entity.import_id = 0 then entity.id || ' ' || entity.content_hash || ' ' || entity.path end`
type Batch = { text: string; rows: readonly string[]; parts: readonly NodePart[] }

/** The entities that manifests list, asked for again and again: of a row that is as before, what it says is the same object. */
export class MemberParts {
  #batches: readonly Batch[] = []

  /** Characters that it holds: what the store said, in rows, and again in parts. */
  get size(): number {
    return this.#batches.reduce((sum, { text }) => sum + 2 * text.length, 0)
  }

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
  const row = await memberRows(db, organisationId, manifestIds).executeTakeFirst()
  return row?.rows ?? ''
}

/**
 * What stands where, as one text: a thousand rows cost each store and its driver more than that. Each entity is looked up by its
 * whole key, in a query of its own within the list: joined, PostgreSQL reads all entities for each of them as long as it has not
 * counted its rows, and all of them once where it has. For the same reason the rows that an import has not published yet are left
 * out where the text is made: as a condition that would choose another index.
 */
export function memberRows(db: Db, organisationId: number, manifestIds: readonly number[]) {
  const [own, library] = [organisationId, 0].map(organisation => entityRow(db, organisation, organisationId))
  const row = sql`case manifest_member.entity_organisation_id when 0 then ${library} else ${own} end`
  return db
    .selectFrom('manifest_member')
    .select(sql<Text>`string_agg(${row}, ${sql.val(mark)})`.as('rows'))
    .where('manifest_member.organisation_id', 'in', [organisationId, 0])
    .where('manifest_member.manifest_id', 'in', manifestIds)
}

function entityRow(db: Db, organisation: number, asking: number) {
  return db
    .selectFrom('entity')
    .select(seen.as('row'))
    .where('entity.organisation_id', '=', organisation)
    .whereRef('entity.id', '=', sql.ref('manifest_member.entity_id'))
    .where('entity.manifest_id', 'not in', unseenManifests(db, [asking]))
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
