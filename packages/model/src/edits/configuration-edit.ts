import * as z from 'zod'

/**
 * What an edit of a configuration says: new values of fields, each named by its keys from the outside in. A list is one field, as
 * it is when two people's changes are merged.
 */
export const configurationEditSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('changeConfiguration'),
    changes: z.array(z.object({ path: z.array(z.string()).min(1), value: z.json() })),
  }),
])
export type ConfigurationEdit = z.infer<typeof configurationEditSchema>
