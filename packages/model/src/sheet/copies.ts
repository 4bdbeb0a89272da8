import * as z from 'zod'
import { type Column, columnName, columnsOf, isKey, isTypeAttribute } from '../columns.ts'
import { addColumnsEdits, copiedColumn, freeColumnNames, withoutKey } from '../edits/copy-columns.ts'
import { editFormat } from '../edits/edit-forms.ts'
import type { EntityEdit } from '../edits/entity-edits.ts'
import { entityAttributeSchema } from '../entity-attribute.ts'
import type { EntityContent } from '../entity.ts'
import { limits } from '../limits.ts'
import { isAutomaticKey } from '../one-key.ts'
import { typeAttributeSchema } from '../type-attribute.ts'
import { columnsById } from './columns.ts'
import type { SheetProblems } from './write-cells.ts'

/** Media type of copied columns on the clipboard, beside text and HTML. */
export const columnsMediaType = 'application/x-cadmus-columns+json'

/** Columns of an entity with all their fields. Another release cannot read them and takes the text beside. */
const copiedColumnsSchema = z.object({
  format: z.literal(editFormat),
  /** Uid of the entity. */
  entity: z.string(),
  /** They move when they are pasted. */
  isCut: z.boolean(),
  columns: z.array(z.union([typeAttributeSchema, entityAttributeSchema])).max(limits.paste.rows),
  /** Texts that cells of the columns could not take. */
  refused: z.array(
    z.object({
      uid: z.string(),
      column: z.string(),
      text: z.string().max(limits.paste.cell),
      reason: z.string(),
      offer: z.string().optional(),
    }),
  ),
})
export type CopiedColumns = z.infer<typeof copiedColumnsSchema>

export function copiedColumnsText(
  entity: string,
  columns: readonly Column[],
  { isCut = false, problems }: { isCut?: boolean; problems?: SheetProblems } = {},
): string {
  const refused = columns.flatMap(row =>
    [...(problems?.get(row.uid) ?? [])].flatMap(([column, problem]) =>
      columnsById.get(column)?.text(row) === problem.text ? [] : { uid: row.uid, column, ...problem },
    ),
  )
  const copied: CopiedColumns = { format: editFormat, entity, isCut, columns: [...columns], refused }
  return JSON.stringify(copied)
}

/** The refused texts of columns for their copies, or for the columns themselves where they were moved. */
export function refusedFor({ refused }: Pick<CopiedColumns, 'refused'>, pasted: readonly Column[]): SheetProblems {
  const bySource = Map.groupBy(refused, ({ uid }) => uid)
  return new Map(
    pasted.flatMap(({ uid, copiedFrom }) => {
      const own = bySource.get(uid) ?? bySource.get(copiedFrom ?? '') ?? []
      const cells = own.map(({ uid: _source, column, text, reason, offer }) => {
        const problem = { text, reason, ...(offer === undefined ? {} : { offer }) }
        return [column, problem] as const
      })
      return cells.length === 0 ? [] : [[uid, new Map(cells)] as const]
    }),
  )
}

/** Undefined for anything else. */
export function readCopiedColumns(text: string): CopiedColumns | undefined {
  if (text === '' || text.length > limits.paste.text) return undefined
  try {
    return copiedColumnsSchema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/**
 * Adds copies with new uids and free names after the last column, without their traits, which describe imported columns. An entity with a
 * key needs no automatic one.
 */
export function addCopiesEdits(content: EntityContent, columns: readonly Column[]): EntityEdit[] {
  const existing = columnsOf(content)
  const hasKey = existing.some(isKey)
  const isNeedless = (column: Column) => hasKey && isTypeAttribute(column) && isAutomaticKey(column)
  const copied = columns.filter(column => !isNeedless(column))
  const names = freeColumnNames(copied, existing.map(columnName))
  const copies = copied.map((column, at) => copiedColumn(column, names[at] ?? columnName(column)))
  return addColumnsEdits(content, hasKey ? copies.map(withoutKey) : copies)
}

/** Moves columns before another one of the entity, or to the end. */
export function moveCutEdits(columns: readonly Column[], before: string | null): EntityEdit[] {
  const moves = columns.filter(({ uid }) => uid !== before).map(({ uid }) => ({ uid, before }))
  return moves.length === 0 ? [] : [{ kind: 'moveColumns', moves, places: [] }]
}
