import { createManifest } from '@cadmus/model/contract/manifest'
import { defaults } from '@cadmus/model/limits'
import { changeOf } from '../../commands/change.ts'
import { createManifest as create } from '../../commands/manifest/create-manifest.ts'
import { handle } from '../../http/route.ts'
import { answerManifest } from './answer.ts'
import { foundManifest } from './found.ts'

export const createManifestRoute = handle(createManifest, async ({ body }, request) => {
  const id = await create(changeOf(request), {
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
    licence: request.organisation.limits,
  })
  return answerManifest(request, await foundManifest(request, id))
})
