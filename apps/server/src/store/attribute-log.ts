import { biographyLimits } from '@cadmus/model/contract/biography'
import { type Column, columnsOf } from '@cadmus/model/columns'
import { editForms } from '@cadmus/model/edits/edit-forms'
import type { EntityEdit } from '@cadmus/model/edits/entity-edits'
import { limits } from '@cadmus/model/limits'
import { readStored } from '@cadmus/model/stored/stored-form'
import { yieldToEventLoop } from '../event-loop.ts'
import { contentByHash, lengthsOf } from './content.ts'
import type { Db } from './database.ts'
import { entityContentOf } from './entity.ts'
import type { Tables } from './tables.ts'

type Row = Tables['audit_entry']

const columns = [
  'sequence',
  'change_id',
  'at',
  'target_id',
  'name',
  'user_name',
  'description',
  'cause',
  'original_hash',
  'updated_hash',
  'edit_format',
] as const satisfies readonly (keyof Row)[]

type Entry = Pick<Row, (typeof columns)[number]>
type EntryWithEdits = Entry & { text: string | null }

/** What a log entry did to a column. `added` with `removed`: it became a relationship, or the reverse. */
export type ColumnStep = {
  entry: Entry
  removed: boolean
  added: Column | null
  change: Readonly<Record<string, unknown>>
}

export type ColumnLog = {
  /** Oldest first. */
  steps: readonly ColumnStep[]
  /** The column before the first step; null if it did not exist or is not known. */
  start: Column | null
  more: boolean
}

const pageLength = 25

/**
 * The changes of a column by its uid, back through the entities it was moved from. Reads a bounded part of the log, and
 * contents only where the log has no edits.
 */
export async function columnLog(db: Db, organisationId: number, entityId: number, uid: string): Promise<ColumnLog> {
  const reader = new Reader(db, organisationId, uid)
  const steps = await reader.stepsOf(entityId)
  const first = steps[0]
  const start = first && !first.added ? await reader.columnAt(first.entry.original_hash) : null
  return { steps, start, more: reader.isOver }
}

class Reader {
  readonly #db: Db
  readonly #organisationId: number
  readonly #uid: string
  #bytes: number = biographyLimits.bytes
  #entries: number = biographyLimits.entries
  isOver = false

  constructor(db: Db, organisationId: number, uid: string) {
    this.#db = db
    this.#organisationId = organisationId
    this.#uid = uid
  }

  async stepsOf(entityId: number): Promise<ColumnStep[]> {
    const steps: ColumnStep[] = []
    let target = entityId
    let below = Number.MAX_SAFE_INTEGER
    let isEnd = false
    while (!isEnd && !this.isOver) {
      const rows = await this.#page(target, below)
      isEnd = rows.length < pageLength
      for (const row of rows) {
        below = row.sequence
        this.#take(1, row.text?.length ?? 0)
        const step = this.isOver ? null : await this.#stepOf(row)
        if (!step) continue
        steps.push(step)
        this.isOver ||= steps.length >= biographyLimits.events
        const source = step.added && !step.removed ? await this.#sourceOf(step.entry) : null
        if (!source) continue
        steps.push(source)
        target = source.entry.target_id
        below = source.entry.sequence
        isEnd = false
        break
      }
      await yieldToEventLoop()
    }
    return steps.toReversed()
  }

  async columnAt(hash: string | null): Promise<Column | null> {
    if (hash === null || !(await this.#withColumn([hash])).has(hash)) return null
    const lengths = await lengthsOf(this.#db, this.#organisationId, [{ hash }])
    this.#take(0, lengths.get(hash) ?? 0)
    if (this.#bytes < 0) return null
    const body = await contentByHash(this.#db, this.#organisationId, hash)
    if (body === undefined) return null
    return columnsOf(entityContentOf(hash, body)).find(({ uid }) => uid === this.#uid) ?? null
  }

  #take(entries: number, bytes: number): void {
    this.#entries -= entries
    this.#bytes -= bytes
    this.isOver ||= this.#entries < 0 || this.#bytes < 0
  }

  /** Entries of an entity below a sequence number, newest first. */
  async #page(target: number, below: number): Promise<EntryWithEdits[]> {
    return this.#entriesWithEdits()
      .where('target_id', '=', target)
      .where('sequence', '<', below)
      .orderBy('sequence', 'desc')
      .limit(pageLength)
      .execute()
  }

  /** Entries of entities; their edits only if these have the uid. */
  #entriesWithEdits() {
    return this.#db
      .selectFrom('audit_entry')
      .select(columns)
      .select(row => row.case().when('edits', 'like', `%"${this.#uid}"%`).then(row.ref('edits')).end().as('text'))
      .where('organisation_id', '=', this.#organisationId)
      .where('import_id', '=', 0)
      .where('content_kind', '=', 'entity')
  }

  /** The entry of the same change that took the column out of another entity. */
  async #sourceOf({ change_id: changeId, target_id: target, sequence }: Entry): Promise<ColumnStep | null> {
    const reach = limits.changedDocuments
    const rows = await this.#entriesWithEdits()
      .where('change_id', '=', changeId)
      .where('target_id', '!=', target)
      .where('sequence', '>=', sequence - reach)
      .where('sequence', '<=', sequence + reach)
      .limit(reach)
      .execute()
    for (const row of rows) {
      this.#take(1, row.text?.length ?? 0)
      const step = this.isOver ? null : await this.#stepOf(row)
      if (step?.removed && !step.added) return step
    }
    return null
  }

  async #stepOf({ text, ...entry }: EntryWithEdits): Promise<ColumnStep | null> {
    if (entry.edit_format === null) return this.#stepByContents(entry)
    if (text === null) return null
    const edits = readStored(editForms.entity, JSON.parse(text), Number(entry.edit_format))
    const step: ColumnStep = { entry, removed: false, added: null, change: {} }
    for (const edit of edits) applyTo(step, edit, this.#uid)
    return step.removed || step.added || Object.keys(step.change).length > 0 ? step : null
  }

  async #stepByContents(entry: Entry): Promise<ColumnStep | null> {
    const { original_hash: from, updated_hash: to } = entry
    if (from === to) return null
    const having = await this.#withColumn([from, to])
    if (having.size === 0) return null
    if (to === null || !having.has(to)) return { entry, removed: true, added: null, change: {} }
    const after = await this.columnAt(to)
    if (!after) return null
    if (from === null || !having.has(from)) return { entry, removed: false, added: after, change: {} }
    const before = await this.columnAt(from)
    if (!before) return null
    const {
      uid: _uid,
      position: _position,
      ...change
    } = Object.fromEntries(Object.entries(after).filter(([field, value]) => !isSame(value, Reflect.get(before, field))))
    return Object.keys(change).length > 0 ? { entry, removed: false, added: null, change } : null
  }

  async #withColumn(hashes: readonly (string | null)[]): Promise<Set<string>> {
    return contentsWithColumn(
      this.#db,
      this.#organisationId,
      hashes.filter(hash => hash !== null),
      this.#uid,
    )
  }
}

/** Which of the contents have an attribute or relationship with this uid, without loading them. */
export async function contentsWithColumn(
  db: Db,
  organisationId: number,
  hashes: readonly string[],
  uid: string,
): Promise<Set<string>> {
  if (hashes.length === 0) return new Set()
  const rows = await db
    .selectFrom('content')
    .select('hash')
    .where('organisation_id', 'in', [organisationId, 0])
    .where('hash', 'in', hashes)
    .where('body', 'like', `%"uid":"${uid}"%`)
    .execute()
  return new Set(rows.map(({ hash }) => hash))
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function applyTo(step: ColumnStep, edit: EntityEdit, uid: string): void {
  if (edit.kind === 'addAttributes' || edit.kind === 'addRelationships') {
    const items: Column[] = edit.added.map(({ item }) => item)
    step.added = items.find(item => item.uid === uid) ?? step.added
  } else if (edit.kind === 'removeAttributes' || edit.kind === 'removeRelationships') {
    step.removed ||= edit.uids.includes(uid)
  } else if (edit.kind === 'changeAttributes' || edit.kind === 'changeRelationships') {
    for (const { uid: changed, change } of edit.changes)
      if (changed === uid) step.change = { ...step.change, ...change }
  }
}
