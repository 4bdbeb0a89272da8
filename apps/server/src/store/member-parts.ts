import { sql } from 'kysely'
import { inBatches } from './batches.ts'
import type { Db } from './database.ts'
import { mark } from './marked-rows.ts'
import type { NodePart } from './stored-nodes.ts'
import { manifestsPendingDeletion } from './pending-deletion.ts'

const idBatch = 500
type Text = string | null
const visibleRow = sql<Text>`case when entity.import_id = 0 then entity.id || ' ' || entity.content_hash || ' ' || entity.path end`
type Batch = { text: string; rows: readonly string[]; parts: readonly NodePart[] }

/** Reads the entities listed by manifests, reusing the objects of unchanged rows. */
export class MemberParts {
  #batches: readonly Batch[] = []

  /** Number of cached characters of the texts, as rows and as parts. */
  get size(): number {
    return this.#batches.reduce((sum, { text }) => sum + 2 * text.length, 0)
  }

  /** Returns each entity once. */
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
 * Aggregates the members into one text: a thousand rows would cost the store and its driver more. Each entity is looked
 * up by its whole key in a subquery: with a join, PostgreSQL scans all entities, per member as long as it has no
 * statistics. For the same reason invisible rows are excluded by `case`: a condition would select another index.
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

function entityRow(db: Db, organisation: number, readingOrganisation: number) {
  return db
    .selectFrom('entity')
    .select(visibleRow.as('row'))
    .where('entity.organisation_id', '=', organisation)
    .whereRef('entity.id', '=', sql.ref('manifest_member.entity_id'))
    .where('entity.manifest_id', 'not in', manifestsPendingDeletion(db, [readingOrganisation]))
}

function batchOf(text: string, before: Batch | undefined): Batch {
  const rows = text === '' ? [] : text.split(mark)
  const parts = rows.map((row, index) => {
    const reused = before?.rows[index] === row ? before.parts[index] : undefined
    return reused ?? partOf(row)
  })
  return { text, rows, parts }
}

/** Format: id, hash, path, separated by spaces; the path may contain spaces. */
function partOf(row: string): NodePart {
  const first = row.indexOf(' ')
  const second = row.indexOf(' ', first + 1)
  return { id: Number(row.slice(0, first)), hash: row.slice(first + 1, second), path: row.slice(second + 1) }
}
