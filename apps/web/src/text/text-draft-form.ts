import type { Mark } from '@cadmus/model/text/marked-text'
import type { StoredForm } from '@cadmus/model/stored/stored-form'
import * as z from 'zod'
import type { Unapplied } from './text-session.ts'

const textDraftFormat = 2
const offset = z.number().int().nonnegative()
const markSchema: z.ZodType<Mark> = z.object({
  from: offset,
  to: offset,
  kind: z.enum(['entity', 'attribute', 'relationship', 'enumeration']),
  uid: z.string(),
})
const markedText = z
  .object({ text: z.string(), marks: z.array(markSchema) })
  .refine(({ text, marks }) => marks.every(({ from, to }) => from <= to && to <= text.length))

/** A text as stored in the browser while the model does not say all of it. */
export const textDraftForm: StoredForm<Unapplied> = {
  name: 'text draft',
  format: textDraftFormat,
  schema: z.object({ format: z.literal(textDraftFormat), printed: markedText, shown: markedText }),
  // Earlier texts have no names of enumerations.
  upgrades: { 1: stored => stored },
}
