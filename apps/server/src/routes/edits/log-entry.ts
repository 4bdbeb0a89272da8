import { causeSchema, editFormat, editForms } from '@cadmus/model/edits/edit-forms'
import { readStored, type StoredForm } from '@cadmus/model/stored/stored-form'
import { ReadyJson } from '../../http/ready-json.ts'
import type { Db } from '../../store/database.ts'
import { editTexts, type LogRow, uidsOf } from '../../store/edit-log.ts'

// Answers with contents and edits as stored: their JSON texts are inserted unparsed, because they may be large. Only edits of an older format are
// read and upgraded.

type Place = { db: Db; organisationId: number; userId: string }

/** The entries without their edits. */
export async function effectsText({ db, organisationId }: Place, rows: readonly LogRow[]): Promise<string> {
  const uids = await uidsOf(db, organisationId, rows)
  return JSON.stringify(rows.map(row => fieldsOf(row, uids)))
}

/** Returns the entries with their edits. */
export async function entryTexts({ db, organisationId, userId }: Place, rows: readonly LogRow[]): Promise<string[]> {
  const uids = await uidsOf(db, organisationId, rows)
  const texts = await editTexts(
    db,
    organisationId,
    rows.filter(row => row.edit_format !== null).map(row => row.sequence),
  )
  return rows.map(row => {
    const fields = {
      ...fieldsOf(row, uids),
      operationId: row.user_id === userId ? row.save_id : null,
      format: row.edit_format === null ? null : editFormat,
      ...(row.cause === null ? {} : { cause: causeSchema.parse(JSON.parse(row.cause)) }),
    }
    return `${JSON.stringify(fields).slice(0, -1)},"edits":${currentText(row, texts.get(row.sequence) ?? 'null')}}`
  })
}

function currentText({ content_kind: kind, edit_format: stored }: LogRow, text: string): string {
  const format = Number(stored)
  if (stored === null || format === editFormat) return text
  const form: StoredForm<unknown> = kind === 'manifest' || kind === 'configuration' ? editForms[kind] : editForms.entity
  return JSON.stringify(readStored(form, JSON.parse(text), format))
}

export function ready(text: string): ReadyJson {
  return new ReadyJson(Buffer.from(text))
}

function fieldsOf(row: LogRow, uids: ReadonlyMap<string, string>) {
  const { sequence, kind, target_id: id, name, version, before, after, at, description } = row
  return {
    sequence,
    changeId: row.change_id,
    document: { kind: row.content_kind, id, uid: uids.get(`${kind} ${id}`) ?? null, name },
    version,
    before,
    after,
    actor: { name: row.user_name, email: row.user_email },
    at,
    description,
  }
}
