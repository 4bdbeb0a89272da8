import { diagramDetails } from '@cadmus/model/diagram/view'
import type { StoredForm } from '@cadmus/model/stored/stored-form'
import * as z from 'zod'

// The shared views of a manifest version, or of a deleted manifest. Placements are contents, so that the same ones are stored once.

export const placementsFormat = 1

const placementsSchema = z.object({
  format: z.literal(placementsFormat),
  placements: z.record(z.string(), z.object({ x: z.number().int(), y: z.number().int(), hidden: z.boolean() })),
})

export const frozenPlacementsForm: StoredForm<z.infer<typeof placementsSchema>> = {
  name: 'frozen placements',
  format: placementsFormat,
  schema: placementsSchema,
  upgrades: {},
}

/** `placements`: hash. */
export const frozenViewSchema = z.object({
  uid: z.string(),
  name: z.string(),
  detail: z.enum(diagramDetails),
  revision: z.number().int(),
  placements: z.string(),
})
export type FrozenView = z.infer<typeof frozenViewSchema>
