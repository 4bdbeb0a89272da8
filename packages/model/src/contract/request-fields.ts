import * as z from 'zod'
import { isEqual } from '../equal.ts'
import { messages } from '../messages.ts'
import { requestOf } from '../request-schema.ts'

// Shared by the bodies of saves: sending back a GET answer changes nothing.

/** A read-only property. A request may send it only with the current value; see `changedAnswers`. */
export const asAnswered = z
  .unknown()
  .optional()
  .meta({ readOnly: true, description: 'Read-only: ignored if equal to the GET answer, otherwise 400.' })

/** A derived property, which may have changed since the answer: a request may send any value of its type. */
export function derived(answer: z.ZodType): z.ZodOptional<z.ZodType> {
  return requestOf(answer).optional().meta({ readOnly: true, description: 'Read-only and derived: ignored.' })
}

type Sent = Readonly<Record<string, unknown>>

/** Read-only properties whose sent value differs from the current one, with a message each. `at`: path of `sent` in the body. */
export function changedAnswers(
  fields: Readonly<Record<string, z.ZodType>>,
  sent: Sent,
  answered: Sent,
  at = '',
): { path: string; message: string }[] {
  return Object.keys(fields)
    .filter(name => fields[name] === asAnswered && sent[name] !== undefined && !isEqual(sent[name], answered[name]))
    .map(name => ({ path: at === '' ? name : `${at}.${name}`, message: messages.readOnly(name) }))
}

/** The name under which each field with several names was sent; without those that were not sent. */
export function sentNames(fields: Readonly<Record<string, Readonly<Record<string, unknown>>>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([field, names]) => {
      const sent = Object.keys(names).find(name => names[name] !== undefined)
      return sent === undefined ? [] : [[field, sent]]
    }),
  )
}

/** The value of a field with several names. Reports an issue if they have different values. */
export function oneField<T>(
  context: z.core.$RefinementCtx,
  names: Readonly<Record<string, T | undefined>>,
): T | undefined {
  const sent = Object.entries(names).filter(([, value]) => value !== undefined)
  const [first, other] = sent
  const isOne = sent.every(([, value]) => isEqual(value, first?.[1]))
  if (first && other && !isOne)
    context.addIssue({ code: 'custom', path: [first[0]], message: messages.oneField(first[0], other[0]) })
  return first?.[1]
}
