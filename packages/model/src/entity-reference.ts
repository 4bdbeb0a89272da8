import * as z from 'zod'

/** A reference to an entity. `id`: local to this store, -1 if the entity is not stored. Without `uid` the path counts, then the name. */
export const entityReferenceSchema = z.object({
  id: z.number().int(),
  uid: z.string().max(60).optional(),
  name: z.string(),
  path: z.string(),
})
export type EntityReference = z.infer<typeof entityReferenceSchema>

/** In requests: the id is enough. */
export const referenceRequest = z.strictObject({
  ...entityReferenceSchema.shape,
  name: z.string().optional(),
  path: z.string().optional(),
})

export const alternativeTargetSchema = z.object({
  entity: entityReferenceSchema,
  attribute: z.string(),
  attributeUid: z.string().max(60).optional(),
})
export type AlternativeTarget = z.infer<typeof alternativeTargetSchema>
