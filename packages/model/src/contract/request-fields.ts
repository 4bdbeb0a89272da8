import * as z from 'zod'
import { isEqual } from '../equal.ts'
import { messages } from '../messages.ts'
import { requestOf } from '../request-schema.ts'

// What bodies of saves have in common: a save of what a GET answered changes nothing.

/** A property that says what is meant. A request may send it back as it was answered, and not otherwise: see `changedAnswers`. */
export const asAnswered = z
  .unknown()
  .optional()
  .meta({ readOnly: true, description: 'Read-only: ignored where it is as a GET answers it, else 400.' })

/** A property that follows from other things, which may have changed since the answer: a request may send any value of its type. */
export function derived(answer: z.ZodType): z.ZodOptional<z.ZodType> {
  return requestOf(answer).optional().meta({ readOnly: true, description: 'Read-only and derived: ignored.' })
}

type Sent = Readonly<Record<string, unknown>>

/** Read-only properties that are not as they are answered, each with its sentence. `at`: where `sent` stands in the body. */
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

/** The value of a field that has several names; a finding where they say different things. */
export function oneField<T>(
  found: z.core.$RefinementCtx,
  names: Readonly<Record<string, T | undefined>>,
): T | undefined {
  const sent = Object.entries(names).filter(([, value]) => value !== undefined)
  const [first, other] = sent
  const isOne = sent.every(([, value]) => isEqual(value, first?.[1]))
  if (first && other && !isOne)
    found.addIssue({ code: 'custom', path: [first[0]], message: messages.oneField(first[0], other[0]) })
  return first?.[1]
}
