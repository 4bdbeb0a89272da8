import * as z from 'zod'
import type { ModelSource } from '../closure.ts'
import { configurationSchema } from '../configuration.ts'
import { entityContentSchema } from '../entity.ts'
import { manifestContentSchema } from '../manifest.ts'

/** The number of the form of `resources/cadmus/model.json`. */
export const packageModelFormat = 1

/**
 * `resources/cadmus/model.json`: all that our instance needs to run a package. Ids are the package's own, from 1 in the order of the
 * closure, so that the same model gives the same bytes; `uid`s are the model's. The configuration holds no secret.
 */
export const packageModelSchema = z.object({
  format: z.literal(packageModelFormat),
  package: z.string(),
  version: z.string(),
  manifestVersion: z.string(),
  root: z.number().int(),
  manifests: z.array(manifestContentSchema.extend({ id: z.number().int(), path: z.string() })),
  /** Members, their ancestors, and what relationships lead to outside. */
  entities: z.array(entityContentSchema.extend({ id: z.number().int(), path: z.string() })),
  configuration: configurationSchema,
})
export type PackageModel = z.infer<typeof packageModelSchema>

/** The model as closures and tables read it. */
export function sourceOfPackage({ manifests, entities }: PackageModel): ModelSource {
  return {
    manifests: new Map(manifests.map(manifest => [manifest.id, manifest])),
    entities: new Map(entities.map(entity => [entity.id, entity])),
  }
}
