import * as z from 'zod'

/** New values of configuration fields, each addressed by its path. A list is one field, as in merges. */
export const configurationEditSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('changeConfiguration'),
    changes: z.array(z.object({ path: z.array(z.string()).min(1), value: z.json() })),
  }),
])
export type ConfigurationEdit = z.infer<typeof configurationEditSchema>
