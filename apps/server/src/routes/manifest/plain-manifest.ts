import type { manifestRequest } from '@cadmus/model/contract/manifest-shapes'
import { defaults } from '@cadmus/model/limits'
import type * as z from 'zod'
import type { Organisation } from '../../auth/caller.ts'
import type { ManifestPlan } from '../../commands/manifest/manifest-plan.ts'

/** The plan of a plain creation, without duplicate or configuration. */
export function plainManifest(body: z.output<typeof manifestRequest>, { limits }: Organisation): ManifestPlan {
  return {
    name: body.manifestName,
    description: body.description,
    importsPath: body.importsPath,
    entityIds: body.entities,
    entityNames: body.exclusiveEntities,
    subManifestIds: body.subManifests,
    duplicateId: -1,
    configuration: null,
    generateType: 'Manifest',
    version: defaults.version,
    licence: limits,
  }
}
