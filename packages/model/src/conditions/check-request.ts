import * as z from 'zod'
import { limits } from '../limits.ts'
import { type Check, type Condition, conditionSchema } from './condition.ts'
import { readCondition } from './text.ts'

const conditionRequestText = z
  .string()
  .max(limits.checks.text)
  .superRefine((text, context) => {
    const read = readCondition(text)
    if ('fault' in read) context.addIssue({ code: 'custom', message: read.fault })
  })

/** A check in requests; its condition may be a text. Without uid it gets one by `withSettledChecks`. */
export const checkRequest = z.strictObject({
  uid: z.string().max(60).default(''),
  name: z.string().max(limits.checks.name).default(''),
  message: z.string().max(limits.checks.message).default(''),
  condition: z.union([conditionRequestText, conditionSchema]),
})

export function checkFromRequest({ uid, name, message, condition }: z.output<typeof checkRequest>): Check {
  return { uid, name: name.trim(), message: message.trim(), condition: conditionOf(condition) }
}

/** A condition as sent; a text without fault. */
function conditionOf(sent: string | Condition): Condition {
  if (typeof sent !== 'string') return sent
  const read = readCondition(sent)
  if ('fault' in read) throw new RangeError(read.fault)
  return read.condition
}
