import * as z from 'zod'
import { limits } from './limits.ts'

/**
 * `unique`: no two records have the same values in all members, unless a value is missing; `index`: records are found quickly by the
 * members; `key`: the order of the primary key's columns.
 */
export const groupKinds = ['unique', 'index', 'key'] as const
export type GroupKind = (typeof groupKinds)[number]

/** A column of a group by uid; an inherited one has none, and is known by its name. */
const memberSchema = z.object({ uid: z.string(), name: z.string(), descending: z.boolean() })

/** Several columns of an entity together, in order. `name`: of the constraint or index in databases; '' for an automatic one. */
export const groupSchema = z.object({
  uid: z.string(),
  kind: z.enum(groupKinds),
  name: z.string(),
  members: z.array(memberSchema),
})
export type Group = z.infer<typeof groupSchema>
export type GroupMember = z.infer<typeof memberSchema>

/** A group in requests. Members may be named by uid or by name, inherited ones by name only. */
export const groupRequest = z.strictObject({
  uid: z.string().max(60).default(''),
  kind: groupSchema.shape.kind,
  name: z.string().max(limits.groups.name).default(''),
  members: z
    .array(
      z.strictObject({
        uid: z.string().max(60).default(''),
        // Imported attributes may have any name.
        name: z.string().default(''),
        descending: z.boolean().default(false),
      }),
    )
    .max(limits.groups.sent),
})

/** A group as sent; without uid it gets one by `withSettledGroups`. */
export function groupFromRequest({ uid, kind, name, members }: z.output<typeof groupRequest>): Group {
  return { uid, kind, name: name.trim(), members }
}
